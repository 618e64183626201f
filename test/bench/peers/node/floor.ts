/** The floor: a bare node:http server that reads the body whole and answers 202. */
import { createServer } from 'node:http';

const ANSWER = Buffer.from('{"status":202,"message":"Accepted"}');

createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (chunks.length > 1) Buffer.concat(chunks);
    response.writeHead(202, {
      'Content-Type': 'application/json', 'Content-Length': ANSWER.length,
    });
    response.end(ANSWER);
  });
}).listen(Number(process.env['PORT']), '127.0.0.1');
