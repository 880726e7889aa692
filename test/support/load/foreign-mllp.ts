/**
 * MLLP servers that this project did not write, each in a process of its own: `medplum` (@medplum/hl7) or `node-hl7-server`. Both answer AA
 * and store nothing. Tells its parent the port once it listens.
 */
import { type Hl7MessageEvent, Hl7Server } from '@medplum/hl7'
import { Server } from 'node-hl7-server'
import { freePort } from '../network/free-port.ts'

const port = await freePort()
if (process.argv[2] === 'medplum')
  await new Hl7Server((connection) => {
    connection.addEventListener('message', ({ message }: Hl7MessageEvent) => connection.send(message.buildAck()))
  }).start(port)
else {
  const server = new Server({ bindAddress: '127.0.0.1' })
  const inbound = server.createInbound({ port }, async (_request, response) => response.sendResponse('AA'))
  await new Promise<void>((resolve) => inbound.on('listen', () => resolve()))
}
process.send!({ port })
