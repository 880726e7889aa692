/** The sample PDF on which a template is made. It is read in this browser and sent nowhere. */
import { useEffect, useState } from 'preact/hooks'
import { openReader, type Reader } from '../../pdf/reader.ts'
import { announce } from '../../shared/announce.tsx'
import { count } from '../../shared/format.ts'
import { Icon } from '../../shared/icon.tsx'

/** Returns the sample, null until there is one, and a function that opens a file as the sample. */
export function useSample(pagesNeeded: number): [sample: Reader | null, open: (file: File) => Promise<void>] {
  const [sample, setSample] = useState<Reader | null>(null)
  useEffect(() => () => sample?.close(), [sample])
  const open = async (file: File) => {
    try {
      const opened = await openReader(await file.arrayBuffer())
      if (opened.pages.length >= pagesNeeded) return setSample(opened)
      opened.close()
      announce(`The template has fields up to page ${pagesNeeded}. Choose a sample that has these pages.`, 'wrong')
    } catch {
      announce('This file cannot be shown. Choose a PDF.', 'wrong')
    }
  }
  return [sample, open]
}

interface SampleInputProps {
  /** How many fields the template has already. */
  fieldCount: number
  onFile(file: File): void
}

export const SampleInput = ({ fieldCount, onFile }: SampleInputProps) => (
  <label class="sample">
    <Icon name="file" />
    <strong>Choose a sample PDF</strong>
    <span>
      {fieldCount > 0 && `To see and move its ${count(fieldCount, 'field')}. `}A blank or invented document of this
      kind. It stays in this browser.
    </span>
    <input
      type="file"
      accept="application/pdf,.pdf"
      onChange={({ currentTarget: { files } }) => files?.[0] && onFile(files[0])}
    />
  </label>
)
