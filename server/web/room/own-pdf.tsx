/** Takes a PDF of the presenter's own. Whether it can be signed is said when it is sent, by the create itself. */
import { announce } from '../shared/announce.tsx'
import { FileDrop } from '../shared/file-drop.tsx'
import { t } from '../words/words.ts'

export interface Own {
  fileName: string
  /** Base64; empty before one is chosen. */
  pdf: string
  /** The text next to which the signature is placed. */
  phrase: string
}

interface OwnPdfProps {
  own: Own
  /** Whether the fields are placed next to a phrase. */
  asksPhrase: boolean
  onChange(own: Own): void
}

/** The body of the call has room for this much as Base64. */
const LARGEST_BYTES = 5_000_000

export function OwnPdf({ own, asksPhrase, onChange }: OwnPdfProps) {
  const take = async (file: File) => {
    if (file.size > LARGEST_BYTES) return announce(t('own.large'), 'wrong')
    onChange({ ...own, fileName: file.name, pdf: await asBase64(file) })
  }
  return (
    <>
      <FileDrop accept="application/pdf,.pdf" onFile={take}>
        {own.fileName === '' ? t('own.drop') : <bdi>{own.fileName}</bdi>}
      </FileDrop>
      {asksPhrase && (
        <label>
          {t('own.phrase')}
          <input
            maxLength={200}
            required
            value={own.phrase}
            onInput={(event) => onChange({ ...own, phrase: event.currentTarget.value })}
          />
        </label>
      )}
    </>
  )
}

function asBase64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '')
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
}
