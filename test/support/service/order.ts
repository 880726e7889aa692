/** A message that the create node takes as it is: a synthetic patient, a demo signer, and a small PDF with tokens. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../built.ts'
import { aPatient } from './a-patient.ts'

/** The demo signers, by what they do. */
export const SIGNER = { signs: '9999900019', rejects: '9999900027', idle: '9999900035', unknown: '9999900043' } as const

const example = join(root, 'examples/Send a document and wait for the signature.json')

/** The PDF of the first example. */
export const orderPdf = (): Buffer => {
  const flow: { type: string; payload: string }[] = JSON.parse(readFileSync(example, 'utf8'))
  return Buffer.from(flow.find(({ type }) => type === 'inject')!.payload, 'base64')
}

let count = 0

export function anOrder(userNPI: string = SIGNER.idle, more: Record<string, unknown> = {}) {
  count += 1
  const patient = aPatient()
  return {
    payload: orderPdf(),
    userNPI,
    externalDocId: `ORDER-${process.pid}-${count}`,
    effectiveDate: new Date().toISOString().slice(0, 10),
    patient: { ...patient, names: [{ ...patient.names[0], given: ['Alma', 'Jean'] }] },
    ...more,
  }
}
