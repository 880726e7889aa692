/** Modelled messages are mapped to what the model says, field by field, or held. The message itself is not read here. */
import { expect } from 'chai'
import { takeApart } from '../../../lib/hl7/batch.ts'
import { readMapFile } from '../../../lib/mapping/map-file.ts'
import { mapHl7 } from '../../../lib/mapping/map-hl7.ts'
import type { Mapped } from '../../../lib/mapping/mapped.ts'
import { type Random, randomFrom } from '../random.ts'
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
  const isMislabelled = (model.characterSet.named[0] ?? '').startsWith('8859') && model.characterSet.written === 'utf-8'
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
  const isReplacement = kind === 'MDM' && ['T09', 'T10'].includes(event)
  if (externalDocId === null || isDisputed(order)) return null
  // Whether the withdrawal is that of the new document, or of the earlier one as well, only the sender knows.
  if (isEnd && isReplacement && model.parents.length > 0) return null
  if (isEnd) return { action: 'retract', externalDocId, aliases }
  if (verdict === 'hold' || (kind === 'MDM' && ['T03', 'T04'].includes(event))) return null
  const parent = parentOf(model)
  if (isReplacement && parent === null) return null
  const isCreate = verdict === 'send' && (kind !== 'MDM' || ['T02', 'T06'].includes(event))
  const request = requestOf(order, model)
  if (Object.values(request).includes(null)) return null
  const replaces = isReplacement ? [parent] : [externalDocId, ...aliases]
  return { action: isCreate ? 'create' : 'replace', externalDocId, aliases, ...(!isCreate && { replaces }), ...request }
}

/** The one document that is replaced. */
function parentOf(model: MessageModel): string | null {
  const parents = new Set(model.parents.map((parent) => (parent.state === 'good' ? ofSender(parent, model) : null)))
  const [parent = null] = parents
  return parents.size === 1 ? parent : null
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
    names:
      names.length === 0 || !names.every(isReadable)
        ? null
        : names.map(({ family, given }) => `${given} ${family}`).join(),
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

/** Characters around the letters of a name are no part of it; bytes of another set are letters that are not known. */
const isReadable = ({ letters, family, given }: MessageModel['patient']['names'][number]): boolean =>
  letters === 'plain' ||
  letters === 'bytes' ||
  (letters === 'bytes of another set' && !/[^\0-\x7f]/.test(family + given))

const counting = ({ participations }: ModelOrder) => participations.filter(({ state }) => state === 'counts')

function signerOf(order: ModelOrder): string | null {
  const { signers, hasControl, participations } = order
  if (participations.some(({ state }) => state === 'unknown')) return null
  const taking = counting(order).flatMap(({ person }) => person ?? [])
  const named = Object.entries(signers).flatMap(([field, each]) => (field === 'ORC-12' && !hasControl ? [] : each))
  // Whoever interprets (OBR-32) counts only where no ordering provider is named.
  const isLater = Object.keys(signers).every((field) => field === 'OBR-32')
  const people = isLater && taking.length > 0 ? taking : [...named, ...taking]
  const isUsable = ({ by }: ModelPerson) => ['type', 'oid', 'local', 'qualified', 'facility'].includes(by)
  const npis = new Set(people.map(({ npi }) => npi))
  return npis.size === 1 && people.some(isUsable) ? people[0]!.npi : null
}

function organizationOf(order: ModelOrder, model: MessageModel): string | null | undefined {
  const known: Readonly<Record<string, string>> = MODEL_MAP.organizations
  const visit = model.visitFacility === '' ? null : ({ name: model.visitFacility, by: 'name' } as const)
  const facilities = [order.hasControl ? order.facility : null, ...counting(order).map((one) => one.facility), visit]
  const named = facilities.flatMap((facility) => facility ?? [])
  if (named.length === 0) return known[model.sender.namespace]
  const npis = new Set(named.map(({ name, by }) => (by === 'other authority' ? null : (known[name] ?? null))))
  const [npi = null] = npis
  return npis.size === 1 ? npi : null
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
export type ModelTally = Record<'create' | 'replace' | 'retract' | 'held' | 'heldThoughRight' | 'inBatches', number>

/** Throws for the first message that is not what its model says. `reasons` counts why messages are held that the model would send. */
export function mappedAsModelled(count: number, seed: number): { tally: ModelTally; reasons: Record<string, number> } {
  const map = readMapFile(MODEL_MAP)
  const tally: ModelTally = { create: 0, replace: 0, retract: 0, held: 0, heldThoughRight: 0, inBatches: 0 }
  const reasons: Record<string, number> = {}
  let index = 0
  for (let frame = 0; index < count; frame++) {
    const random = randomFrom(seed * 1_000_003 + frame)
    const models = Array.from({ length: random.pick([1, 1, 1, 1, 1, 1, 1, 2, 3]) }, () => aModel(random))
    const messages = models.length === 1 ? [written(models[0]!, random)] : ofBatch(models, random)
    index += models.length
    if (models.length > 1) tally.inBatches += models.length
    for (const [place, message] of messages.entries()) {
      const model = models[place]!
      const result = mapHl7(message, map)
      const [summary, expected] = [summaryOf(result), expectedOf(model)]
      if (summary !== null)
        expect(summary, `SEED=${seed}, frame ${frame}:\n${printable(message)}`).to.deep.equal(expected)
      tally[result.ok ? result.action : 'held'] += 1
      if (!result.ok && expected !== null) {
        tally.heldThoughRight += 1
        for (const reason of result.held) reasons[reason] = (reasons[reason] ?? 0) + 1
      }
    }
  }
  return { tally, reasons }
}

/** Returns the messages of a batch after it was taken apart. All lines of a file have one end. */
function ofBatch(models: readonly MessageModel[], random: Random): Uint8Array[] {
  const [{ hand }] = models as [MessageModel]
  const messages = models.map((model) => written({ ...model, hand: { ...model.hand, lineEnd: hand.lineEnd } }, random))
  const isFile = random.isSo()
  const isWrong = random.isSo(0.1)
  const encoding = hand.component + hand.repetition + hand.escapeMark + hand.subcomponent
  const line = (...fields: string[]) => fields.join(hand.field) + hand.lineEnd
  const bytes = Buffer.concat([
    Buffer.from((isFile ? line('FHS', encoding, 'APP') : '') + line('BHS', encoding, 'APP')),
    ...messages,
    Buffer.from(line('BTS', String(models.length + Number(isWrong))) + (isFile ? line('FTS', '1') : '')),
  ])
  const batch = takeApart(bytes)
  expect(batch?.findings.length, 'findings about the batch').to.equal(Number(isWrong))
  const found = batch!.groups.flatMap((group) => group.messages)
  expect(found.length, 'messages of the batch').to.equal(models.length)
  return found
}

const printable = (message: Uint8Array): string =>
  Buffer.from(message)
    .toString()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[\w+/=-]{80,}/g, '(Base64)')
