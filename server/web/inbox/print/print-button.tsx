/** Prints the document alone, as it came: every page, also those that were not on the screen, and nothing that is filled in. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { Reader } from '../../pdf/reader.ts'
import { announce } from '../../shared/announce.tsx'
import { Icon } from '../../shared/icon.tsx'
import { picturesOf } from './pictures.ts'
import './print.css'
import { t } from '../../words/words.ts'

export function PrintButton({ reader }: { reader: Reader }) {
  const [pictures, setPictures] = useState<readonly string[] | null>(null)
  const [isBusy, setBusy] = useState(false)
  const left = useRef(new AbortController())
  useEffect(() => () => left.current.abort(), [])
  const print = useCallback(async () => {
    setBusy(true)
    try {
      setPictures(await picturesOf(reader, left.current.signal))
    } catch {
      if (left.current.signal.aborted) return
      announce(t('print.failed'), 'wrong')
    }
    setBusy(false)
  }, [reader])
  useEffect(() => {
    const instead = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'p' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      void print()
    }
    addEventListener('keydown', instead)
    return () => removeEventListener('keydown', instead)
  }, [print])
  return (
    <>
      <button type="button" disabled={isBusy} onClick={() => void print()}>
        <Icon name="print" /> {isBusy ? t('print.preparing') : t('print.print')}
      </button>
      {pictures && <Printed pictures={pictures} onDone={() => setPictures(null)} />}
    </>
  )
}

/** On paper only. Opens the browser's print dialog once its pictures are there. */
function Printed({ pictures, onDone }: { pictures: readonly string[]; onDone(): void }) {
  const [left, setLeft] = useState(pictures.length)
  useEffect(() => {
    addEventListener('afterprint', onDone)
    return () => removeEventListener('afterprint', onDone)
  }, [onDone])
  useEffect(() => {
    if (left === 0) window.print()
  }, [left])
  return (
    <div class="printed" aria-hidden="true">
      {pictures.map((picture, index) => (
        <img key={index} src={picture} alt="" onLoad={() => setLeft((count) => count - 1)} />
      ))}
    </div>
  )
}
