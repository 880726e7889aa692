/** Sends sample orders: for a patient, to a signer, as a document with fields. */
import { useState } from 'preact/hooks'
import { announce } from '../shared/announce.tsx'
import { announceFailure } from '../shared/connection.tsx'
import { parts, t } from '../words/words.ts'
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
    announce(t('send.choosePdf'), 'wrong')
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
      announce(t('send.copied', { name }))
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
    ...room.signers.map(({ npi, name, isActive }) => ({
      id: npi,
      name: isActive ? name : t('send.inactive', { name }),
    })),
    { id: UNKNOWN_NPI, name: t('send.unknown') },
  ]

  return (
    <section class="panel room-send" aria-labelledby="room-send">
      <h2 id="room-send">{t('send.title')}</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void send(1)
        }}
      >
        {choice(t('send.patient'), 'patient', room.patients)}
        {choice(t('send.document'), 'document', [...room.documents, { id: OWN, name: t('send.own') }])}
        {isOwn && <OwnPdf own={own} asksPhrase={order.placement === 'phrase'} onChange={setOwn} />}
        {choice(t('send.signer'), 'signer', signers)}
        {choice(t('send.fields'), 'placement', room.placements)}
        <div class="room-steps">
          <button type="submit" class="primary" disabled={isBusy}>
            {t('room.send')}
          </button>
          <button type="button" disabled={isBusy} onClick={() => void send(MANY)}>
            {t('send.many', { count: MANY })}
          </button>
        </div>
      </form>
      <div role="status">{sent.length > 0 && <Sent sent={sent} />}</div>
      <p class="room-copy">
        {t('send.copyAs')}{' '}
        <button type="button" class="quiet small" onClick={() => void copy(t('send.curl'), asCurl)}>
          {t('send.curl')}
        </button>
        <button type="button" class="quiet small" onClick={() => void copy(t('send.javaScript'), asJavaScript)}>
          {t('send.javaScript')}
        </button>
        <button type="button" class="quiet small" onClick={() => void copy(t('send.aFlow'), asFlow)}>
          {t('send.flow')}
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
    return <p class="notice">{t('send.made', { made, count: sent.length })}</p>
  }
  if (!first) return null
  if (first.taskId !== null)
    return (
      <p class="notice">
        {parts('send.one', {
          task: <a href={`/console#/tasks/${first.taskId}`}>{first.taskId}</a>,
          document: first.externalDocId,
        })}
      </p>
    )
  return (
    <p class="problem">
      {first.status ?? t('send.noAnswer')}: {first.errors.join(' ')}
    </p>
  )
}
