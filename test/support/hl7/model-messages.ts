/** Writes a modelled message, as its sender would. */
import type { Random } from '../random.ts'
import {
  LOCAL_IDS,
  type MessageModel,
  MODEL_MAP,
  type ModelFacility,
  type ModelId,
  type ModelName,
  type ModelOrder,
  type ModelParticipation,
  type ModelPdf,
  type ModelPerson,
} from './message-model.ts'
import { escaperOf, type Hand, hdOf, joined, segmentOf, spelled } from './model-writing.ts'

/** Returns the bytes of the message. */
export function written(model: MessageModel, random: Random): Buffer {
  const { hand, kind, order } = model
  const header = segmentOf('MSH', headerOf(model), hand).replace(`MSH${hand.field}${hand.field}`, `MSH${hand.field}`)
  const patients = Array.from({ length: model.patients }, () => patientOf(model)).flat()
  const visit = segmentOf('PV1', { 2: 'O', 3: `${hand.component.repeat(3)}${model.visitFacility}` }, hand)
  const orders = model.orders.flatMap((one) =>
    kind === 'MDM' ? documentOf(one, model, random) : orderOf(one, model, random),
  )
  const segments =
    order === 'patient last'
      ? [header, visit, ...orders, ...patients]
      : order === 'visit last'
        ? [header, ...patients, ...orders, visit]
        : [header, ...patients, visit, ...orders]
  const text = segments.map((segment) => segment + hand.lineEnd).join('')
  return Buffer.from(text, model.characterSet.written === 'utf-8' ? 'utf8' : 'latin1')
}

function headerOf({ kind, event, hand, sender, processing, characterSet }: MessageModel): Record<number, string> {
  const { component, repetition, escapeMark, subcomponent, cut } = hand
  const type = { MDM: ['MDM', event], ORU: ['ORU', 'R01'], ORM: ['ORM', 'O01'], OML: ['OML', 'O21'] }[kind]
  return {
    ...{
      1: '',
      2: component + repetition + escapeMark + subcomponent + cut,
      3: 'APP',
      4: hdOf(sender, dividerIn(hand)),
    },
    ...{ 7: '20260116080000', 9: type.join(component), 10: 'M1', 11: processing.replace('^', component), 12: '2.7' },
    ...{ 18: characterSet.named.join(repetition) },
  }
}

/** A name with its letters beyond ASCII as the sender writes them. */
function nameIn({ letters }: ModelName, text: string, { hand, characterSet: { written } }: MessageModel): string {
  const mark = hand.escapeMark
  const own = written === 'utf-8' ? 'utf8' : 'latin1'
  const other = own === 'utf8' ? 'latin1' : 'utf8'
  const inBytes = (set: 'utf8' | 'latin1') =>
    [...text]
      .map((one) =>
        one < '\x7f' ? escaperOf(hand)(one) : `${mark}X${Buffer.from(one, set).toString('hex').toUpperCase()}${mark}`,
      )
      .join('')
  const escaped = escaperOf(hand)(text)
  return {
    plain: escaped,
    bytes: inBytes(own),
    'bytes of another set': inBytes(other),
    highlighted: `${mark}H${mark}${escaped}${mark}N${mark}`,
    'after a set': `${mark}C2842${mark}${escaped}`,
  }[letters]
}

function patientOf(model: MessageModel): string[] {
  const { patient, hand } = model
  const escaped = escaperOf(hand)
  const components = (parts: readonly string[]) => joined(parts, hand.component)
  const ids = patient.ids.map((id) => {
    const authority = hdOf(id.authority, hand.subcomponent)
    const places = id.isFacility ? ['', id.type, authority] : [authority, id.type, '']
    return components([idText(id, hand), '', '', ...places, '', id.state === 'expired' ? '20250101' : ''])
  })
  const names = patient.names.map((name) =>
    components([
      ...[nameIn(name, name.family, model), nameIn(name, name.given, model), '', '', '', '', name.type],
      ...['', '', '', '', '', name.expired ? '20250101' : ''],
    ]),
  )
  const addresses = patient.addresses.map(({ line, postalCode, state }) =>
    components([
      ...[escaped(line) + (state === 'cut' ? hand.cut : ''), '', 'Duluth', 'MN', postalCode, ''],
      ...[state === 'bad' ? 'BA' : 'H', '', '', '', '', '', '', state === 'expired' ? '2025' : ''],
    ]),
  )
  const fields = {
    ...{ 1: '1', 3: ids.join(hand.repetition), 5: names.join(hand.repetition) },
    ...{ 7: patient.birthDate.replace('~', hand.repetition), 8: 'F', 11: addresses.join(hand.repetition) },
  }
  const merged = ids.filter((_, index) => patient.ids[index]!.state === 'merged')
  return [
    segmentOf('PID', fields, hand),
    ...(merged.length === 0 ? [] : [segmentOf('MRG', { 1: merged.join(hand.repetition) }, hand)]),
  ]
}

/** An id that holds `&` has it without an escape, as careless senders write it. */
const idText = ({ value, state }: ModelId, hand: Hand): string =>
  value.split('&').map(escaperOf(hand)).join(hand.subcomponent) + (state === 'cut' ? hand.cut : '')

const entityOf = (id: ModelId | null, hand: Hand): string =>
  id === null ? '' : joined([idText(id, hand), hdOf(id.authority, dividerIn(hand))], hand.component)

const dividerIn = ({ isAuthorityDivided, component, subcomponent }: Hand): string =>
  isAuthorityDivided ? subcomponent : component

/** XCN. */
function personOf({ npi, family, given, by }: ModelPerson, hand: Hand): string {
  const local = LOCAL_IDS[npi]!
  const own = local.startsWith('D') ? 'HUBB' : 'HUBA'
  const oid = ['', '2.16.840.1.113883.4.6', 'ISO'].join(hand.subcomponent)
  const [id, authority, type, until, facility = ''] = {
    type: [npi, '', 'NPI', ''],
    oid: [npi, oid, '', ''],
    local: [local, 'HUBB', '', ''],
    qualified: [local, own, 'EI', ''],
    facility: [local, '', '', '', own],
    'other authority': [local, 'LAB', '', ''],
    'other facility': [local, '', '', '', 'LAB'],
    license: [local, own, 'SL', ''],
    expired: [npi, '', 'NPI', '20250101'],
    zeros: ['0000000000', '', 'NPI', ''],
  }[by] as [string, string, string, string, string?]
  const parts = [id, family, given, '', '', '', '', '', authority, 'L', '', '', type, facility]
  parts.push('', '', '', '', '', until)
  return joined(parts, hand.component)
}

const peopleIn = ({ signers }: ModelOrder, field: string, hand: Hand): string =>
  (signers[field] ?? []).map((person) => personOf(person, hand)).join(hand.repetition)

const codeOf = ({ code: { code, system, alternate } }: ModelOrder, hand: Hand): string =>
  joined([code.replace('&', hand.subcomponent), 'Text', system, ...alternate.split('^')], hand.component)

function documentOf(order: ModelOrder, model: MessageModel, random: Random): string[] {
  const { hand, parents } = model
  const fields = {
    ...{ 1: '1', 2: codeOf(order, hand), 3: 'AP', 4: order.date, 5: peopleIn(order, 'TXA-5', hand) },
    ...{ 9: peopleIn(order, 'TXA-9', hand), 10: peopleIn(order, 'TXA-10', hand) },
    ...{ 12: entityOf(order.placer, hand), 13: parents.map((parent) => entityOf(parent, hand)).join(hand.repetition) },
    ...{ 17: order.statuses['TXA-17'] ?? '', 19: order.statuses['TXA-19'] ?? '' },
  }
  const transcription = segmentOf('TXA', fields, hand)
  const rest = [...diagnosesOf(order, hand), ...observationsOf(order, hand, random)]
  return model.order === 'patient last' ? [...rest, transcription] : [transcription, ...rest]
}

function orderOf(order: ModelOrder, { hand, kind }: MessageModel, random: Random): string[] {
  const status = (place: string) => order.statuses[place] ?? ''
  const disputed =
    order.isFillerDisputed && order.filler?.state === 'good'
      ? { ...order.filler, value: `${order.filler.value}9` }
      : order.filler
  const isDateInControl = kind !== 'ORU' && order.date.endsWith('1')
  const control = {
    ...{ 1: status('ORC-1'), 2: entityOf(order.placer, hand), 3: entityOf(disputed, hand), 5: status('ORC-5') },
    ...{
      12: peopleIn(order, 'ORC-12', hand),
      15: isDateInControl ? order.date : '',
      21: facilityOf(order.facility, hand),
    },
  }
  const request = {
    ...{ 1: '1', 2: entityOf(order.placer, hand), 3: entityOf(order.filler, hand), 4: codeOf(order, hand) },
    ...{ 7: isDateInControl ? '' : order.date, 16: peopleIn(order, 'OBR-16', hand) },
    ...{ 25: status('OBR-25'), 32: peopleIn(order, 'OBR-32', hand) },
  }
  const people = order.participations.map((participation) => participationOf(participation, hand))
  const isEarly = order.isEarly && order.hasControl
  return [
    ...(order.hasControl ? [segmentOf('ORC', control, hand)] : []),
    ...(isEarly ? people : []),
    segmentOf('OBR', request, hand),
    ...(isEarly ? [] : people),
    segmentOf('NTE', { 1: '1', 3: 'Reviewed' }, hand),
    ...diagnosesOf(order, hand),
    ...observationsOf(order, hand, random),
  ]
}

const participationOf = ({ person, facility, action, role, from, until }: ModelParticipation, hand: Hand): string => {
  const named = { 5: person === null ? '' : personOf(person, hand), 8: facilityOf(facility, hand) }
  return segmentOf('PRT', { 1: '1', 2: action, 4: role, ...named, 11: from, 12: until }, hand)
}

/** XON. */
function facilityOf(facility: ModelFacility | null, hand: Hand): string {
  if (facility === null) return ''
  const { name, by } = facility
  const npis: Readonly<Record<string, string>> = MODEL_MAP.organizations
  const [text, authority, type, id] = {
    name: [name, '', '', ''],
    id: ['Clinic', '', '', name],
    NPI: ['Clinic', '', 'NPI', npis[name] ?? ''],
    'other authority': ['Clinic', 'REGISTRY', 'XX', name],
  }[by] as [string, string, string, string]
  return joined([text, '', '', '', '', authority, type, '', '', id], hand.component)
}

const diagnosesOf = ({ diagnoses }: ModelOrder, hand: Hand): string[] =>
  diagnoses.map(({ code, system, priority }, index) =>
    segmentOf(
      'DG1',
      { 1: String(index + 1), 3: joined([code, 'Text', system], hand.component), 15: String(priority) },
      hand,
    ),
  )

function observationsOf(order: ModelOrder, hand: Hand, random: Random): string[] {
  const text = segmentOf('OBX', { 1: '1', 2: 'TX', 3: 'NOTE', 5: 'Seen and agreed', 11: 'F' }, hand)
  let number = 1
  const pdfs = order.pdfs.flatMap((pdf) => {
    const segments = pdfIn(pdf, order, number + 1, hand, random)
    number += segments.length
    return segments
  })
  return random.isSo() ? [text, ...pdfs] : pdfs
}

function pdfIn(pdf: ModelPdf, order: ModelOrder, first: number, hand: Hand, random: Random): string[] {
  const { layout, type, numbered } = pdf
  const before = { '': '', bom: '\xef\xbb\xbf', newline: '\r\n' }[pdf.before]
  const base64 = Buffer.concat([Buffer.from(before, 'latin1'), pdf.bytes]).toString('base64')
  const status = order.statuses['OBX-11'] ?? 'F'
  const observation = (own: Record<number, string>) =>
    segmentOf('OBX', { 2: type, 3: joined(['PDF', 'Document'], hand.component), 11: status, ...own }, hand)
  const data = (text: string) => {
    const isEncapsulated = type === 'ED' || type === ''
    return isEncapsulated ? ['', 'application', 'pdf', 'Base64', text].join(hand.component) : text
  }
  const escaped = escaperOf(hand)
  if (layout === 'whole')
    return [observation({ 1: `${first}`, 4: order.subId, 5: data(spelled(base64, hand, random)) })]
  const pieces = pieceOf(base64, 3 + random.below(4), random, revisionEnd(pdf.bytes, before.length)).map(escaped)
  if (layout === 'repetitions')
    return [observation({ 1: `${first}`, 4: order.subId, 5: data(pieces.join(hand.repetition)) })]
  const parts = lossy(
    pieces.map((piece, index) => ({ piece, index, isRelabelled: false })),
    pdf.loss,
  )
  if (layout === 'notes')
    return [
      segmentOf('OBX', { 1: `${first}`, 2: 'TX', 3: 'REF', 4: order.subId, 5: 'See the notes', 11: status }, hand),
      ...parts.map(({ piece, index, isRelabelled }) =>
        isRelabelled
          ? segmentOf('OBX', { 1: `${first + index}`, 2: 'TX', 3: 'PART', 5: piece, 11: status }, hand)
          : segmentOf('NTE', { 1: `${index + 1}`, 3: piece }, hand),
      ),
    ]
  return parts.map(({ piece, index, isRelabelled }) =>
    observation({
      ...(isRelabelled && { 3: 'PART' }),
      ...(numbered === 'OBX-1' ? { 1: `${first + index}`, 4: order.subId } : { 4: `${index + 1}` }),
      5: data(piece),
    }),
  )
}

/** Returns where the Base64 of the first of two revisions ends; 0 when there is one, or when a digit belongs to both. */
function revisionEnd(bytes: Buffer, before: number): number {
  const end = bytes.indexOf('1 0 obj', bytes.indexOf('%%EOF')) + before
  return end > before && end % 3 === 0 ? (end / 3) * 4 : 0
}

/** Some documents are divided where their first revision ends. */
function pieceOf(text: string, count: number, random: Random, first: number): string[] {
  const from = first > 0 && random.isSo() ? first : 20
  const free = random.some(
    Array.from({ length: text.length - 20 - from }, (_, index) => index + from),
    count - 1,
  )
  const cuts = from === first ? [...new Set([first, ...free])] : free
  return [0, ...cuts].map((from, index) => text.slice(from, cuts[index] ?? text.length))
}

function lossy<T extends object>(parts: readonly T[], loss: ModelPdf['loss']): T[] {
  const [first, second, third, ...rest] = parts as [T, T, T, ...T[]]
  switch (loss) {
    case 'missing':
      return [first, third, ...rest]
    case 'doubled':
      return [first, second, second, third, ...rest]
    case 'swapped':
      return [first, third, second, ...rest]
    case 'relabelled':
      return [first, ...parts.slice(1).map((part) => ({ ...part, isRelabelled: true }))]
    default:
      return [...parts]
  }
}
