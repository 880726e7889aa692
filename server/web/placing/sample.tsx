/** The sample PDF on which fields are placed, as this browser reads it. */
import { useEffect, useState } from 'preact/hooks'
import type { Reader } from '../pdf/reader.ts'
import { announce } from '../shared/announce.tsx'
import { Icon } from '../shared/icon.tsx'
import { NoReader, openReader, prepareReader } from './pdf-reader.ts'
import { useWords } from './use-words.ts'
import { filled } from './words.ts'

/** Returns the sample, null until there is one, and a function that opens a file as the sample and says whether it could. */
export function useSample(pagesNeeded: number): [sample: Reader | null, open: (file: Blob) => Promise<boolean>] {
  const words = useWords()
  const [sample, setSample] = useState<Reader | null>(null)
  useEffect(prepareReader, [])
  useEffect(() => () => sample?.close(), [sample])
  const open = async (file: Blob) => {
    try {
      const opened = await openReader(await file.arrayBuffer())
      if (opened.pages.length >= pagesNeeded) {
        setSample(opened)
        return true
      }
      opened.close()
      announce(filled(words.tooShort, { page: pagesNeeded }), 'wrong')
    } catch (failure) {
      announce(failure instanceof NoReader ? words.noReader : words.notPdf, 'wrong')
    }
    return false
  }
  return [sample, open]
}

interface SampleInputProps {
  /** How many fields there are already. */
  fieldCount: number
  onFile(file: File): void
}

export function SampleInput({ fieldCount, onFile }: SampleInputProps) {
  const words = useWords()
  return (
    <label class="sample">
      <Icon name="file" />
      <strong>{words.chooseSample}</strong>
      <span>
        {fieldCount > 0 && `${filled(words.toSee, { count: fieldCount })} `}
        {words.sample}
      </span>
      <input
        type="file"
        accept="application/pdf,.pdf"
        onChange={({ currentTarget: { files } }) => files?.[0] && onFile(files[0])}
      />
    </label>
  )
}
