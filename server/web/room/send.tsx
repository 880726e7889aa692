/** Sends sample orders: for a patient, to a signer, as a document with fields. */
import { useState } from 'preact/hooks'
import { announce } from '../shared/announce.tsx'
import { announceFailure } from '../shared/connection.tsx'
import { count } from '../shared/format.ts'
import { type Own, OwnPdf } from './own-pdf.tsx'
import { type RoomAnswer, roomCall, type SentOrder } from './room-api.ts'
import { Signers } from './signers.tsx'
import { asCurl, asFlow, asJavaScript } from './snippets.ts'

const MANY = 20
/** The choice of a document that is none of the samples. */
const OWN = 'own'
/** An NPI that no signer has. */
const UNKNOWN_NPI = '9999900043'

export interface ChosenOrder {
  patient: string
  document: string
  placement: string
  signer: string
}

interface SendProps {
  room: RoomAnswer
  /** Called when the choices for a signer have changed. */
  onChange(): Promise<unknown>
}

export function Send({ room, onChange }: SendProps) {
  const [order, setOrder] = useState<ChosenOrder>({
    patient: room.patients[0]?.id ?? '',
    document: room.documents[0]?.id ?? '',
    placement: room.placements[0]?.id ?? '',
    signer: room.signers.find(({ isActive, script }) => isActive && script.act === 'wait')?.npi ?? UNKNOWN_NPI,
  })
  const [own, setOwn] = useState<Own>({ fileName: '', pdf: '', phrase: '' })
  const isOwn = order.document === OWN
  const toSend = () => {
    if (!isOwn) return order
    const document = room.documents[0]?.id ?? ''
    return { ...order, document, pdf: own.pdf, ...(order.placement === 'phrase' && { phrase: own.phrase }) }
  }
  const [sent, setSent] = useState<readonly SentOrder[]>([])
  const [isBusy, setBusy] = useState(false)
  const isReady = () => {
    if (!isOwn || own.pdf !== '') return true
    announce('Choose a PDF first.', 'wrong')
    return false
  }
  const send = async (times: number) => {
    if (!isReady()) return
    setBusy(true)
    try {
      setSent(await roomCall<SentOrder[]>('POST', 'orders', { ...toSend(), times }))
    } catch (failure) {
      announceFailure(failure)
    }
    setBusy(false)
  }
  const copy = async (name: string, write: (body: object) => string) => {
    if (!isReady()) return
    try {
      await navigator.clipboard.writeText(write(await roomCall<object>('POST', 'orders/body', toSend())))
      announce(`Copied as ${name}. It names no key: put in one of your own.`)
    } catch (failure) {
      announceFailure(failure)
    }
  }
  const choice = (label: string, name: keyof ChosenOrder, options: readonly { id: string; name: string }[]) => (
    <label>
      {label}
      <select
        value={order[name]}
        onChange={(event) => setOrder({ ...order, [name]: (event.currentTarget as HTMLSelectElement).value })}
      >
        {options.map((option) => (
          <option key={option.id} value={option.id}>
            {option.name}
          </option>
        ))}
      </select>
    </label>
  )
  const signers = [
    ...room.signers.map(({ npi, name, isActive }) => ({ id: npi, name: isActive ? name : `${name} (inactive)` })),
    { id: UNKNOWN_NPI, name: 'A signer whom nobody knows' },
  ]

  return (
    <section class="panel room-send" aria-labelledby="room-send">
      <h2 id="room-send">Send an order</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void send(1)
        }}
      >
        {choice('Patient', 'patient', room.patients)}
        {choice('Document', 'document', [...room.documents, { id: OWN, name: 'A PDF of your own' }])}
        {isOwn && <OwnPdf own={own} asksPhrase={order.placement === 'phrase'} onChange={setOwn} />}
        {choice('Signer', 'signer', signers)}
        {choice('Fields', 'placement', room.placements)}
        <div class="room-steps">
          <button type="submit" class="primary" disabled={isBusy}>
            Send
          </button>
          <button type="button" disabled={isBusy} onClick={() => void send(MANY)}>
            Send {MANY}
          </button>
        </div>
      </form>
      <div role="status">{sent.length > 0 && <Sent sent={sent} />}</div>
      <p class="room-copy">
        Copy as{' '}
        <button type="button" class="quiet small" onClick={() => void copy('curl', asCurl)}>
          curl
        </button>
        <button type="button" class="quiet small" onClick={() => void copy('JavaScript', asJavaScript)}>
          JavaScript
        </button>
        <button type="button" class="quiet small" onClick={() => void copy('a Node-RED flow', asFlow)}>
          Node-RED flow
        </button>
      </p>
      <Signers signers={room.signers} onChange={onChange} />
    </section>
  )
}

function Sent({ sent }: { sent: readonly SentOrder[] }) {
  const [first] = sent
  if (sent.length > 1) {
    const made = sent.filter(({ taskId }) => taskId !== null).length
    return (
      <p class="notice">
        {count(made, 'task')} made of {count(sent.length, 'order')}.
      </p>
    )
  }
  if (!first) return null
  if (first.taskId !== null)
    return (
      <p class="notice">
        201: task <a href={`/console#/tasks/${first.taskId}`}>{first.taskId}</a> of document {first.externalDocId}.
      </p>
    )
  return (
    <p class="problem">
      {first.status ?? 'No answer'}: {first.errors.join(' ')}
    </p>
  )
}
