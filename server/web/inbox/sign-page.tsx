/** One document: loads it, proves that the PDF shown is the one on record, and hands it to the desk where it is signed. */
import { useEffect, useState } from 'preact/hooks'
import type { Opened } from '../../inbox/messages.ts'
import { openReader, type Reader } from '../pdf/reader.ts'
import { bytesOf, call, sentenceOf } from '../shared/api.ts'
import { Icon } from '../shared/icon.tsx'
import { Desk } from './desk.tsx'

interface SignPageProps {
  taskId: number
  onDone(taskId: number): Promise<void>
}

export function SignPage({ taskId, onDone }: SignPageProps) {
  const [loaded, setLoaded] = useState<{ opened: Opened; reader: Reader } | null>(null)
  const [problem, setProblem] = useState('')
  useEffect(() => {
    let isCurrent = true
    let reader: Reader | undefined
    const load = async () => {
      const path = `/inbox/api/documents/${taskId}`
      const [opened, pdf] = await Promise.all([call<Opened>('GET', path), bytesOf(`${path}/pdf`)])
      if ((await sha256(pdf)) !== opened.sha256) throw new Error('not the document on record')
      reader = await openReader(pdf)
      if (!isCurrent) return reader.close()
      document.title = `${opened.documentType} · Countersign`
      setLoaded({ opened, reader })
    }
    load().catch((failure: unknown) => isCurrent && setProblem(sentenceOf(failure)))
    return () => {
      isCurrent = false
      reader?.close()
    }
  }, [taskId])

  if (loaded) return <Desk {...loaded} onDone={onDone} />
  return (
    <main class="list-page">
      {problem ? (
        <>
          <p class="problem" role="alert">
            {problem}
          </p>
          <a class="button" href="#/">
            <Icon name="back" /> Back to the inbox
          </a>
        </>
      ) : (
        <p class="loading" role="status">
          Opening the document…
        </p>
      )}
    </main>
  )
}

async function sha256(bytes: ArrayBuffer): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
