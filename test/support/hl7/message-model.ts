/** Models of messages in HL7 v2: orders, documents and results, right and wrong. What must become of each is read from the model alone. */
import type { Random } from '../random.ts'
import { aHand, anAuthority, aPdf, type Hand, keyOf, type ModelAuthority } from './model-writing.ts'

export type ModelKind = 'MDM' | 'ORU' | 'ORM' | 'OML'

/** An id; the state says why it is not the id of one record. */
export interface ModelId {
  value: string
  authority: ModelAuthority
  state: 'good' | 'placeholder' | 'cut' | 'expired' | 'merged'
}

export interface ModelPatientId extends ModelId {
  type: string
  /** Whether CX-6 holds the authority, CX-4 being empty. */
  isFacility: boolean
}

export interface ModelPerson {
  npi: string
  family: string
  given: string
  /** How the person is identified: by a label, an OID, an id of the hospital, or nothing that can be used. */
  by:
    | 'type'
    | 'oid'
    | 'local'
    | 'qualified'
    | 'facility'
    | 'other authority'
    | 'other facility'
    | 'license'
    | 'expired'
    | 'zeros'
}

/** An organization: by its name, by its id, by its NPI, or by an id of another authority, which says nothing. */
export interface ModelFacility {
  name: string
  by: 'name' | 'id' | 'NPI' | 'other authority'
}

/** A person or an organization that takes part in an order, PRT. */
export interface ModelParticipation {
  person: ModelPerson | null
  facility: ModelFacility | null
  action: string
  role: string
  from: string
  until: string
  /** Whether this is, on the day of the message, the ordering provider; `unknown` for an action that no table has. */
  state: 'counts' | 'does not count' | 'unknown'
}

/** Codes by the fields that hold them. */
export type ModelStatuses = Readonly<Record<string, string>>

export interface ModelPdf {
  bytes: Buffer
  layout: 'whole' | 'parts' | 'repetitions' | 'notes'
  /** What happened to the parts on their way. */
  loss: 'nothing' | 'missing' | 'doubled' | 'swapped' | 'relabelled'
  type: string
  numbered: 'OBX-1' | 'OBX-4'
  before: '' | 'bom' | 'newline'
}

export interface ModelOrder {
  hasControl: boolean
  statuses: ModelStatuses
  placer: ModelId | null
  filler: ModelId | null
  /** Whether ORC and OBR name different fillers. */
  isFillerDisputed: boolean
  code: { code: string; system: string; alternate: string }
  date: string
  signers: Readonly<Record<string, readonly ModelPerson[]>>
  participations: readonly ModelParticipation[]
  /** Whether PRT precedes OBR. */
  isEarly: boolean
  diagnoses: readonly { code: string; system: string; priority: number }[]
  facility: ModelFacility | null
  pdfs: readonly ModelPdf[]
  subId: string
}

export interface ModelName {
  type: string
  family: string
  given: string
  isUsable: boolean
  expired: boolean
  /** How letters beyond ASCII are written: as they are, or as bytes of the set or of another one; or what is around the name. */
  letters: 'plain' | 'bytes' | 'bytes of another set' | 'highlighted' | 'after a set'
}

export interface MessageModel {
  kind: ModelKind
  /** Of MDM. */
  event: string
  hand: Hand
  /** MSH-18, whose first repetition is the set of the message. */
  characterSet: { named: readonly string[]; written: 'utf-8' | 'iso-8859-1' }
  processing: string
  sender: ModelAuthority
  visitFacility: string
  patients: number
  patient: {
    ids: readonly ModelPatientId[]
    names: readonly ModelName[]
    birthDate: string
    addresses: readonly { line: string; postalCode: string; state: 'good' | 'expired' | 'cut' | 'bad' }[]
  }
  /** TXA-13. */
  parents: readonly ModelId[]
  orders: readonly ModelOrder[]
  order: 'usual' | 'patient last' | 'visit last'
}

/** What the tables of the map say. */
export const MODEL_MAP = {
  documentTypes: {
    CMS485: { documentTypeId: 101 },
    WOUND: { documentTypeId: 104 },
    'LN|52030-8': { documentTypeId: 101 },
    'L|PT': { documentTypeId: 111 },
  },
  organizations: { LAKE: '9999901017', NORTH: '9999901025' },
  signers: { 'HUBA|7701': '9999900019', 'HUBA|7702': '9999900027', D79: '9999900035' },
  signerAuthority: 'HUBB',
} as const

const PEOPLE: readonly Omit<ModelPerson, 'by'>[] = [
  { npi: '9999900019', family: 'Marsh', given: 'Helen' },
  { npi: '9999900027', family: 'Quill', given: 'Oscar' },
  { npi: '9999900035', family: 'Calder', given: 'Ruth' },
]
/** The id of each person at the hospital, in the table of the map. */
export const LOCAL_IDS: Readonly<Record<string, string>> = {
  '9999900019': '7701',
  '9999900027': '7702',
  '9999900035': 'D79',
}

const CODES = [
  { code: 'CMS485', system: 'L', alternate: '' },
  { code: 'WOUND', system: '', alternate: '' },
  { code: '52030-8', system: 'LN', alternate: 'CMS485^^L' },
  { code: 'PT', system: 'L', alternate: '' },
]
const BAD_CODES = [
  { code: 'PT', system: 'OTHER', alternate: '' },
  { code: '52030-8', system: 'L', alternate: '' },
  { code: 'CMS485', system: 'L', alternate: 'PT^^L' },
  { code: 'WOUND&2', system: '', alternate: '' },
]
const STATUS_FIELDS: Readonly<Record<string, string>> = {
  'ORC-1': 'NW RE XO XX CA DC OC OD CR DR HD CN SC SS UC UA PA XR QQ',
  'ORC-5': 'CM IP SC CA DC HD ER RP A ZZ',
  'OBR-25': 'F O C X P I S R A Q',
  'OBX-11': 'F O C A D W P X U N Q',
  'TXA-17': 'DI DO PA AU LA IN IP ZZ',
  'TXA-19': 'AV CA OB UN ZZ',
}

export function aModel(random: Random): MessageModel {
  /** Most messages have few faults, and some have none. */
  const share = random.pick([0, 0.02, 0.08])
  const isFault = () => random.isSo(share)
  let serial = random.below(1_000_000)
  const number = (letter: string) => {
    serial += 1 + random.below(9)
    return `${letter}${serial}`
  }
  const hand = aHand(random)
  const anId = (letter: string, states: readonly ModelId['state'][]): ModelId => {
    const wanted = isFault() ? random.pick(states) : 'good'
    const state = wanted === 'cut' && hand.cut === '' ? 'placeholder' : wanted
    const value =
      state === 'placeholder' ? random.pick(['UNKNOWN', '0000000', 'system generated', 'N/A']) : number(letter)
    const isDivided = random.isSo(0.05) && state === 'good'
    return { value: isDivided ? `${value}&7` : value, authority: anAuthority(random), state }
  }
  const kind = random.pick(['MDM', 'ORU', 'ORM', 'OML'] as const)
  const isNew = random.isSo(0.85)
  const event = isNew ? random.pick(['T02', 'T06', 'T08', 'T10', 'T09']) : random.pick(['T11', 'T03', 'T04', 'T01'])
  const person = (of = random.pick(PEOPLE)): ModelPerson => ({
    ...of,
    by: isFault()
      ? random.pick(['other authority', 'other facility', 'license', 'expired', 'zeros'])
      : random.pick(['type', 'oid', 'facility', of.npi === '9999900035' ? 'local' : 'qualified']),
  })
  const facilityOf = (names: readonly string[]): ModelFacility | null => {
    const name = isFault() ? 'ELSEWHERE' : random.pick(names)
    if (name === '') return null
    const isKnown = name !== 'ELSEWHERE'
    return { name, by: isFault() ? 'other authority' : random.pick(isKnown ? ['name', 'id', 'NPI'] : ['name', 'id']) }
  }
  const signersOf = (fields: readonly string[]): Pick<ModelOrder, 'signers' | 'participations'> => {
    const one = random.pick(PEOPLE)
    const used = isFault() ? [] : random.some(fields, 1 + random.below(fields.length))
    const people = used.map((field): [string, ModelPerson[]] => [
      field,
      [person(isFault() ? undefined : one), ...(random.isSo(0.2) ? [person(one)] : [])],
    ])
    const participants = people.flatMap(([field, each]) => (field === 'PRT-5' ? each : []))
    const current = participants.map((each) => aParticipation(each, facilityOf(['', '', 'NORTH', 'LAKE']), random))
    const isTaking = fields.includes('PRT-5')
    const unknown =
      isTaking && isFault() ? [{ ...aParticipation(person(), null, random), ...anUnknownAction(random) }] : []
    const others = Array.from({ length: isTaking ? random.pick([0, 0, 0, 1, 2]) : 0 }, () =>
      anotherParticipation(random.isSo(0.8) ? person() : null, facilityOf(['', 'NORTH', 'LAKE']), random),
    )
    return {
      signers: Object.fromEntries(people.filter(([field]) => field !== 'PRT-5')),
      participations: random.isSo() ? [...current, ...unknown, ...others] : [...others, ...current, ...unknown],
    }
  }
  const statusesOf = (fields: readonly string[], usual: ModelStatuses): ModelStatuses => {
    const changed = fields.flatMap((field) =>
      random.isSo(share * 2) ? [[field, random.pick(STATUS_FIELDS[field]!.split(' '))]] : [],
    )
    return { ...usual, ...Object.fromEntries(changed) }
  }
  const pdf = (): ModelPdf => ({
    bytes: aPdf(++serial, random),
    layout: random.pick(['whole', 'whole', 'parts', 'repetitions', 'notes']),
    loss: isFault() ? random.pick(['missing', 'doubled', 'swapped', 'relabelled']) : 'nothing',
    type: random.pick(['ED', 'ED', 'TX', 'ST', 'FT', '']),
    numbered: random.pick(['OBX-1', 'OBX-4']),
    before: random.pick(['', '', '', 'bom', 'newline']),
  })
  const isMdm = kind === 'MDM'
  const count = isMdm ? 1 : random.pick([1, 1, 2, 3])
  const withPdf = isFault() ? -1 : random.below(count)
  const order = (index: number, before: ModelOrder | undefined): ModelOrder => {
    const hasFiller = kind === 'ORU' || (!isMdm && random.isSo())
    const filler = hasFiller ? anId('F', ['placeholder', 'cut']) : null
    const placer = isMdm
      ? anId('D', ['placeholder', 'cut'])
      : kind !== 'ORU' || random.isSo()
        ? anId('P', ['placeholder', 'cut'])
        : null
    const fields = isMdm ? ['TXA-17', 'TXA-19', 'OBX-11'] : ['ORC-1', 'ORC-5', 'OBR-25', 'OBX-11']
    const usual = isMdm ? {} : { 'ORC-1': kind === 'ORU' ? 'RE' : 'NW' }
    const hasPdf = index === withPdf ? !isFault() : isFault()
    const alone = isMdm ? ['TXA-10', 'TXA-9'] : ['ORC-12', 'OBR-16', 'PRT-5']
    const later = isMdm ? 'TXA-5' : 'OBR-32'
    const isLater = kind !== 'ORM' && kind !== 'OML' && random.isSo(0.1)
    return {
      hasControl: kind === 'ORU' ? random.isSo() : true,
      statuses: statusesOf(fields, usual),
      ...(before !== undefined && random.isSo(0.05)
        ? { placer: before.placer, filler: before.filler }
        : { placer, filler }),
      isFillerDisputed: filler !== null && isFault(),
      code: isFault() ? random.pick(BAD_CODES) : random.pick(CODES),
      date: isFault() ? random.pick(['2026', '20260230', '202601']) : `202601${10 + random.below(19)}`,
      ...signersOf(isLater ? [later] : alone),
      isEarly: random.isSo(),
      diagnoses: random.isSo() ? someDiagnoses(random) : [],
      facility: isMdm ? null : facilityOf(['', '', 'NORTH']),
      pdfs: hasPdf ? [pdf(), ...(isFault() ? [pdf()] : [])] : [],
      subId: kind === 'ORU' && random.isSo(0.2) ? '3' : '',
    }
  }
  const characterSet = random.pick([
    { named: ['UNICODE UTF-8'], written: 'utf-8' },
    { named: ['UNICODE UTF-8', '8859/1'], written: 'utf-8' },
    { named: [], written: 'utf-8' },
    { named: ['', 'ISO IR87'], written: 'utf-8' },
    { named: ['8859/1'], written: 'iso-8859-1' },
    { named: ['8859/1', 'UNICODE UTF-8'], written: 'iso-8859-1' },
    { named: ['8859/15'], written: 'iso-8859-1' },
  ] as const)
  const aName = (usual: Pick<ModelName, 'type' | 'family' | 'given'>, isUsable: boolean): ModelName => ({
    ...usual,
    ...{ isUsable, expired: !isUsable },
    letters: isFault()
      ? random.pick(['bytes of another set', 'highlighted', 'after a set'])
      : random.pick(['plain', 'plain', 'bytes']),
  })
  const parentsOf = (parent: ModelId): ModelId[] => {
    if (isFault()) return [parent, anId('D', ['placeholder', 'cut'])]
    return random.isSo(0.1) ? [parent, parent] : [parent]
  }
  const orders: ModelOrder[] = []
  for (let index = 0; index < count; index++) orders.push(order(index, orders.at(-1)))
  return {
    ...{ kind, event, hand },
    characterSet: isFault()
      ? { named: random.pick([['8859/1'], ['8859/15'], ['8859/1', 'UNICODE UTF-8']]), written: 'utf-8' }
      : characterSet,
    processing: isFault() ? random.pick(['T', 'D', '', 'P^A', 'P^I']) : random.pick(['P', 'P', 'P^T']),
    sender: isFault()
      ? { namespace: '', universal: '' }
      : random.pick([
          { namespace: 'LAKE', universal: '' },
          { namespace: 'OTHER', universal: '' },
          { namespace: 'HUBB', universal: '1.2.3.9' },
        ]),
    visitFacility: isFault() ? 'ELSEWHERE' : random.pick(['', 'LAKE', 'NORTH']),
    patients: isFault() ? 2 : 1,
    patient: {
      ids: [
        ...[1, 2, 3].slice(0, 1 + random.below(3)).map((index) => aPatientId(index, random, hand, number)),
        ...(isFault() ? [] : [aPatientId(0, random, hand, number)]),
      ],
      names: [
        ...(random.isSo(0.2)
          ? [aName({ type: random.pick(['S', 'NOUSE', 'L']), family: 'Former', given: 'Fay' }, false)]
          : []),
        ...(isFault()
          ? []
          : [
              aName(
                {
                  type: random.pick(['L', '', 'D']),
                  family: random.pick(["O'Brien & Núñez", 'Müller', 'Whitfield', 'Lund|Ek']),
                  given: random.pick(['Zoë', 'Alma', 'Tess']),
                },
                true,
              ),
            ]),
      ],
      birthDate: isFault() ? random.pick(['1948', '', '19481341', '19480312~19480313']) : '19480312',
      addresses: [
        ...(random.isSo(0.3)
          ? [
              {
                line: '9 Former Road',
                postalCode: '55101',
                state: random.pick(
                  hand.cut === '' ? (['expired', 'bad'] as const) : (['expired', 'bad', 'cut'] as const),
                ),
              },
            ]
          : []),
        ...(isFault() ? [] : [{ line: '1 Alder Straße', postalCode: '55802', state: 'good' as const }]),
      ],
    },
    parents: ['T09', 'T10', 'T06'].includes(event) && !isFault() ? parentsOf(anId('D', ['placeholder', 'cut'])) : [],
    orders,
    order: random.pick(['usual', 'usual', 'patient last', 'visit last']),
  }
}

/** PRT-2 by tables 0287 and 0206; PRT-11 and PRT-12 around the day of the messages. */
const aParticipation = (
  person: ModelPerson | null,
  facility: ModelFacility | null,
  random: Random,
): ModelParticipation => ({
  ...{ person, facility },
  action: random.pick(['', 'AD', 'CO', 'LI', 'UC', 'UP', 'A', 'U', 'X', 'ad']),
  role: random.pick(['OP', 'op']),
  from: random.pick(['', '', '20260116', '2025', '20200101080000']),
  until: random.pick(['', '', '20260116', '202601160700', '2026', '202601', '20270101']),
  state: 'counts',
})

/** One that has ended, has not begun, was deleted, or is that of another role. */
function anotherParticipation(
  person: ModelPerson | null,
  facility: ModelFacility | null,
  random: Random,
): ModelParticipation {
  const why = random.pick([
    { action: random.pick(['DE', 'UN', 'D', 'de']) },
    { until: random.pick(['20260115', '2025', '202512', 'SOON']) },
    { from: random.pick(['20260117', '2027', 'LATER']) },
    { role: random.pick(['RO', 'AP', 'PI', '']) },
  ])
  return { ...aParticipation(person, facility, random), ...why, state: 'does not count' }
}

const anUnknownAction = (random: Random): Pick<ModelParticipation, 'action' | 'state'> => ({
  action: random.pick(['QQ', 'NW', 'R']),
  state: 'unknown',
})

/** The first is the good one; the others do not count, or are of other types. */
function aPatientId(index: number, random: Random, hand: Hand, number: (letter: string) => string): ModelPatientId {
  const states: ModelId['state'][] = ['placeholder', 'expired', 'merged', ...(hand.cut === '' ? [] : ['cut' as const])]
  const state: ModelId['state'] = index === 0 ? 'good' : random.pick<ModelId['state']>(['good', ...states])
  const type =
    index === 0
      ? 'MR'
      : state === 'good'
        ? random.pick(random.isSo(0.1) ? ['MR'] : ['AN', 'VN', 'PI', '', 'SS'])
        : random.pick(['MR', 'PI'])
  const authority = anAuthority(random)
  const value = state === 'placeholder' ? random.pick(['UNKNOWN', '0000000', 'Pending']) : number('WC')
  return { value, state, type, authority, isFacility: keyOf(authority) !== '' && random.isSo(0.2) }
}

function someDiagnoses(random: Random): ModelOrder['diagnoses'] {
  const codes = random.some(['I50.9', 'E11.9', 'L89.153', 'Z48.00'], 1 + random.below(3))
  const priorities = random.some([1, 2, 3, 4], codes.length)
  return codes.map((code, index) => ({
    code,
    system: random.pick(['I10', 'ICD10', 'I9', '']),
    priority: priorities[index]!,
  }))
}
