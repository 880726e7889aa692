/** All examples, imported into one Node-RED and deployed, with their first buttons pressed. */
import { freePort } from '../../network/free-port.ts'
import { type NodeRed, startNodeRed } from '../node-red.ts'
import { allExamples, idIn, press } from './examples.ts'

/** What is pressed at the start. */
export const FIRST_BUTTONS: Record<string, string[]> = {
  'File drop to signed file': ['Drop a PDF'],
  'Catch mistakes before the inbox': ['1 A plain order', '2 An unknown signer', '3 Another organization'],
  'Orders from a folder': ['Drop a document', 'Drop an unknown code'],
  'Receive status events': ['Will be signed', 'Will be rejected'],
  'Correct and resend after a rejection': ['Send the order'],
  'Reconcile after an outage': ['1 Send an order that is signed', '1 Send an order that fails'],
  'Retract an order and send its correction': ['1 Send the order'],
  'Replace an order that was sent': ['1 Send the order'],
  'Record a rejection': ['Send the order'],
  'Follow up overdue orders': ['1 Send an order'],
  'Archive and file the signed PDF': ['Send the order'],
  'Choose document type and template by name': ['Send the order'],
  'Place the fields in four ways': ['Tokens', 'Template', 'Text', 'Coordinates'],
  'See why an order failed or waits for review': ['1 Will fail', '2 Will be reviewed'],
  'FHIR round trip': ['Send the order'],
  'Send an order from HL7': ['Send the order', 'Send an unknown code'],
  'Correct an order that was held': ['1 Send an unknown code'],
  'Receive and send HL7 over MLLP': ['Send a message'],
  'Receive orders over HTTP': ['Send an order', 'Send an unknown code'],
  'Send for several organizations': ['Order of Willow Creek', 'Order of Northfield'],
}

/**
 * Starts Node-RED and presses what each example begins with: they take as long as the demo signers, so they run beside each other.
 * @param work the folder where Node-RED runs, in which relative folders of the flows begin
 * @param port of the embedded service that all of them share
 */
export async function runningExamples(work: string, port: number): Promise<NodeRed> {
  const red = await startNodeRed({ cwd: work })
  const atPort = { port: String(port) }
  const overMllp = { port: String(await freePort()) }
  const ports: Record<string, object> = {
    'countersign-service': atPort,
    'countersign-mllp-in': overMllp,
    'countersign-mllp-out': overMllp,
    'http request': { url: red.nodeUrl('countersign/orders') },
  }
  await red.deploy(allExamples().map((node) => ({ ...node, ...ports[node.type] })))
  await red.statusOf(idIn('Receive status events', 'countersign-webhook-in'), 'listening')
  for (const [example, buttons] of Object.entries(FIRST_BUTTONS))
    for (const button of buttons) await press(red, example, button)
  return red
}
