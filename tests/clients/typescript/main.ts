/** node build/main.js wss://games.example.org/TABLE/socket TOKEN */

import { greedy, play } from "./client.js";

declare const process: { argv: string[] };

const [url, token] = process.argv.slice(2);
if (url === undefined || token === undefined) throw new Error("usage: main.js URL TOKEN");
const over = await play(url, token, greedy);
for (const player of over.scores.players) {
  console.log(`${player.name}: ${player.total} points, rank ${player.rank}`);
}
