/**
 * Loaded before a process of the product in a Pod: it sees a time that is off by so many
 * milliseconds. The product asks for the time at one place only, and it asks Date.now.
 */
const now = Date.now.bind(Date);
const offsetMs = Number(process.env['TEST_CLOCK_MS']);
Date.now = () => now() + offsetMs;
