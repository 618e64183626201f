/** The style of the page, written into it; its digest is in the page's policy. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; }
code, pre { font: 14px/1.4 ui-monospace, monospace; }
pre { overflow-x: auto; padding: .75rem; border: 1px solid #8884; border-radius: .25rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; }
tr + tr { border-top: 1px solid #8884; }
section { border-top: 1px solid #8888; margin-top: 2rem; }
details { margin: .5rem 0; }
nav li { list-style: none; }
.method { display: inline-block; min-width: 3.5rem; font-weight: 600; }
`;
