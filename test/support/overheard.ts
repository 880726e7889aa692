/**
 * What services and commands said while the tests ran: logs, refusals, outputs. At the end of every run it is searched for the
 * patients of the tests, whatever the tests were about.
 */
import { expect } from 'chai'
import { pino } from 'pino'
import { aTask } from './a-task.ts'

const said: string[] = []

export const overhear = (text: string): void => {
  said.push(text)
}

/** For services inside the process of the tests. */
export const overheardLog = pino({ base: null }, { write: overhear })

/** What every task of the tests holds of its patient, unless a test changes it. */
function secrets(): string[] {
  const { patient, document } = aTask()
  const [name] = patient.names
  const texts = [patient.externalId, patient.birthDate, name!.family, document.externalDocId]
  return [
    ...texts,
    ...patient.addresses.map(({ line }) => line ?? ''),
    ...(patient.telecoms ?? []).map(({ value }) => value ?? ''),
    ...(patient.identifiers ?? []).map(({ value }) => value),
  ]
}

// Registered outside of every suite, this runs after the last test of the run.
after('nothing that was overheard names a patient', () => {
  const all = said.join('\n')
  expect(secrets().filter((secret) => all.includes(secret))).to.deep.equal([])
})
