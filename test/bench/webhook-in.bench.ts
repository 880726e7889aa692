/** What the webhook node costs, beside its floor in the same Node-RED. `npm run bench -- webhook-in` */
import { lineOf } from './overview/row.ts'
import { webhookInRow } from './overview/webhook-in.ts'

console.log(lineOf(await webhookInRow()))
