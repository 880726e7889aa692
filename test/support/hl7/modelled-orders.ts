/** Modelled messages are mapped to what the model says, field by field, or held. The message itself is not read here. */
import { expect } from 'chai'
import { readMapFile } from '../../../lib/mapping/map-file.ts'
import { mapHl7 } from '../../../lib/mapping/map-hl7.ts'
import type { Mapped } from '../../../lib/mapping/mapped.ts'
import { randomFrom } from '../random.ts'
import {
  aModel,
  type MessageModel,
  MODEL_MAP,
  type ModelId,
  type ModelOrder,
  type ModelPerson,
} from './message-model.ts'
import { written } from './model-messages.ts'
import { idOf, keyOf } from './model-writing.ts'

/** The verdicts of the codes; all other codes hold the message. */
const VERDICTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'ORC-1': { send: 'NW RE', replace: 'XO XX', retract: 'CA CR DC DR OC OD' },
  'ORC-5': { send: 'CM IP SC', retract: 'CA DC' },
  'OBR-25': { send: 'F O', replace: 'C', retract: 'X' },
  'OBX-11': { send: 'F O', replace: 'A C', retract: 'D W' },
  'TXA-17': { send: 'DI DO PA' },
  'TXA-19': { send: 'AV', retract: 'CA OB' },
}
/** Codes that no table has. */
const UNLISTED = ['QQ', 'ZZ', 'Q']

type Expected = Record<string, unknown>

/** Returns what must become of the message; null when it must be held. */
export function expectedOf(model: MessageModel): Expected | null {
  const { kind, event, orders } = model
  const letters = [
    ...model.patient.names.map(({ family, given }) => family + given),
    ...model.patient.addresses.map(({ line }) => line),
  ]
  const isMislabelled = model.characterSet.named === '8859/1' && model.characterSet.written === 'utf-8'
  if (isMislabelled && /[^\0-\x7f]/.test(letters.join(''))) return null
  if (!['P', 'P^T'].includes(model.processing) || (event === 'T01' && kind === 'MDM')) return null
  const codes = orders.map(codesOf)
  if (codes.flat().some(([, code]) => UNLISTED.includes(code))) return null
  const acting = orders.filter((order) => order.pdfs.length > 0 || verdictOf(order) === 'retract')
  if (acting.length > 1 || (acting.length === 0 && orders.length > 1)) return null
  const order = acting[0] ?? orders[0]!
  const verdict = verdictOf(order)
  const { externalDocId, aliases } = idsOf(order, model)
  const isEnd = verdict === 'retract' || (kind === 'MDM' && event === 'T11')
  if (externalDocId === null || isDisputed(order)) return null
  if (isEnd) return { action: 'retract', externalDocId, aliases }
  if (verdict === 'hold' || (kind === 'MDM' && ['T03', 'T04'].includes(event))) return null
  const isReplacement = kind === 'MDM' && ['T09', 'T10'].includes(event)
  const parent = model.parent?.state === 'good' ? ofSender(model.parent, model) : null
  if (isReplacement && parent === null) return null
  const isCreate = verdict === 'send' && (kind !== 'MDM' || ['T02', 'T06'].includes(event))
  const request = requestOf(order, model)
  if (Object.values(request).includes(null)) return null
  const replaces = isReplacement ? [parent] : [externalDocId, ...aliases]
  return { action: isCreate ? 'create' : 'replace', externalDocId, aliases, ...(!isCreate && { replaces }), ...request }
}

/** Each field of the request; null for one that cannot be known. */
function requestOf(order: ModelOrder, model: MessageModel): Expected {
  const { patient } = model
  const [pdf, second] = order.pdfs
  const isLost = pdf !== undefined && pdf.loss !== 'nothing' && ['parts', 'notes'].includes(pdf.layout)
  const [diagnosis] = order.diagnoses.toSorted((a, b) => a.priority - b.priority)
  const addresses = patient.addresses.filter(({ state }) => state === 'good')
  const names = patient.names.filter(({ isUsable }) => isUsable)
  return {
    patient: model.patients === 1 ? patientIdOf(model) : null,
    names: names.length === 0 ? null : names.map(({ family, given }) => `${given} ${family}`).join(),
    birthDate: patient.birthDate === '19480312' ? '1948-03-12' : null,
    addresses: addresses.length === 0 ? null : addresses.map(({ line, postalCode }) => `${line} ${postalCode}`).join(),
    signer: signerOf(order),
    organization: organizationOf(order, model),
    type: typeOf(order),
    date: /^202601\d\d$/.test(order.date) ? order.date.replace(/(....)(..)(..)/, '$1-$2-$3') : null,
    diagnosis: diagnosis !== undefined && /^I(?:CD)?10$/.test(diagnosis.system) ? diagnosis.code : undefined,
    pdf: pdf === undefined || second !== undefined || isLost ? null : pdf.bytes.toString('base64'),
  }
}

/** The codes that were written. */
const codesOf = ({ statuses, hasControl, pdfs }: ModelOrder): [string, string][] =>
  Object.entries(statuses).filter(
    ([place]) => (hasControl || !place.startsWith('ORC')) && (pdfs.length > 0 || !place.startsWith('OBX')),
  )

function verdictOf(order: ModelOrder): string {
  const verdicts = codesOf(order).map(
    ([place, code]) =>
      Object.entries(VERDICTS[place]!).find(([, listed]) => listed.split(' ').includes(code))?.[0] ?? 'hold',
  )
  return ['retract', 'hold', 'replace'].find((verdict) => verdicts.includes(verdict)) ?? 'send'
}

const isDisputed = ({ isFillerDisputed, hasControl, filler }: ModelOrder): boolean =>
  isFillerDisputed && hasControl && filler?.state === 'good'

const ofSender = ({ authority, value }: ModelId, { sender }: MessageModel): string =>
  idOf(keyOf(authority) === '' ? sender : authority, value)

function idsOf(order: ModelOrder, model: MessageModel): { externalDocId: string | null; aliases: string[] } {
  const isResult = model.kind === 'ORU'
  const [pdf] = order.pdfs
  const subId = pdf?.layout === 'parts' && pdf.numbered === 'OBX-4' ? '1' : order.subId
  const suffix = isResult && pdf !== undefined && subId !== '' ? `.${subId}` : ''
  const [own, other] = isResult ? [order.filler, order.placer] : [order.placer, order.filler]
  const first = own ?? other
  const second = own === null ? null : other
  if (first?.state !== 'good') return { externalDocId: null, aliases: [] }
  const text = (id: ModelId) => ofSender(id, model) + suffix
  return { externalDocId: text(first), aliases: second?.state === 'good' ? [text(second)] : [] }
}

function patientIdOf(model: MessageModel): string | null {
  const good = model.patient.ids.filter(({ state }) => state === 'good')
  const ofType = (type: string) => [...new Set(good.filter((id) => id.type === type).map((id) => ofSender(id, model)))]
  const ids = ofType('MR').length > 0 ? ofType('MR') : ofType('PI')
  return ids.length === 1 ? ids[0]! : null
}

function signerOf({ signers, hasControl }: ModelOrder): string | null {
  const people = Object.entries(signers).flatMap(([field, each]) => (field === 'ORC-12' && !hasControl ? [] : each))
  const isUsable = ({ by }: ModelPerson) => ['type', 'oid', 'local', 'qualified', 'facility'].includes(by)
  const npis = new Set(people.map(({ npi }) => npi))
  return npis.size === 1 && people.some(isUsable) ? people[0]!.npi : null
}

function organizationOf({ facility, hasControl }: ModelOrder, model: MessageModel): string | null | undefined {
  const known: Readonly<Record<string, string>> = MODEL_MAP.organizations
  const named = [hasControl ? facility : '', model.visitFacility].filter((one) => one !== '')
  if (named.length === 0) return known[model.sender.namespace]
  const npis = new Set(named.map((one) => known[one]))
  return npis.size === 1 ? (known[named[0]!] ?? null) : null
}

function typeOf({ code: { code, system, alternate } }: ModelOrder): number | null {
  const types: Readonly<Record<string, number>> = { 'CMS485 L': 101, 'WOUND ': 104, '52030-8 LN': 101, 'PT L': 111 }
  return alternate.startsWith('PT') ? null : (types[`${code} ${system}`] ?? null)
}

/** The same fields of what became of the message. */
function summaryOf(result: Mapped): Expected | null {
  if (!result.ok) return null
  const { action, aliases = [] } = result
  if (action === 'retract') return { action, externalDocId: result.externalDocId, aliases: [...aliases] }
  const { patient, performers, document } = result.body
  const [performer] = performers
  return {
    ...{ action, externalDocId: document.externalDocId, aliases: [...aliases] },
    ...(result.replaces && { replaces: [...result.replaces] }),
    patient: patient.externalId,
    names: patient.names.map(({ family, given }) => `${given.join(' ')} ${family}`).join(),
    birthDate: patient.birthDate,
    addresses: patient.addresses.map(({ line, postalCode }) => `${line} ${postalCode}`).join(),
    signer: performer?.signer.userNPI,
    organization: performer?.organization?.orgNPI ?? undefined,
    type: document.documentTypeId,
    date: document.effectiveDate,
    diagnosis: document.diagnosisCode ?? undefined,
    pdf: document.attachment,
  }
}

/** How many messages became what. */
export type ModelTally = Record<'create' | 'replace' | 'retract' | 'held' | 'heldThoughRight', number>

/** Throws for the first message that is not what its model says. `reasons` counts why messages are held that the model would send. */
export function mappedAsModelled(count: number, seed: number): { tally: ModelTally; reasons: Record<string, number> } {
  const map = readMapFile(MODEL_MAP)
  const tally: ModelTally = { create: 0, replace: 0, retract: 0, held: 0, heldThoughRight: 0 }
  const reasons: Record<string, number> = {}
  for (let index = 0; index < count; index++) {
    const random = randomFrom(seed * 1_000_003 + index)
    const model = aModel(random)
    const message = written(model, random)
    const result = mapHl7(message, map)
    const [summary, expected] = [summaryOf(result), expectedOf(model)]
    if (summary !== null)
      expect(summary, `SEED=${seed}, message ${index}:\n${printable(message)}`).to.deep.equal(expected)
    tally[result.ok ? result.action : 'held'] += 1
    if (!result.ok && expected !== null) {
      tally.heldThoughRight += 1
      for (const reason of result.held) reasons[reason] = (reasons[reason] ?? 0) + 1
    }
  }
  return { tally, reasons }
}

const printable = (message: Buffer): string =>
  message
    .toString()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[\w+/=-]{80,}/g, '(Base64)')
