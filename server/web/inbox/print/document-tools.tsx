/** Offers printing, and a copy of the document where the operator allows one. */
import type { Opened } from '../../../operations/signer/messages.ts'
import type { Reader } from '../../pdf/reader.ts'
import { Icon } from '../../shared/icon.tsx'
import { PrintButton } from './print-button.tsx'

export const DocumentTools = ({ opened: { taskId, unsignedPdf }, reader }: { opened: Opened; reader: Reader }) => (
  <div class="document-tools">
    <PrintButton reader={reader} />
    {unsignedPdf === 'view' && (
      <a class="button" href={copyOf(taskId)} target="_blank" rel="noreferrer">
        <Icon name="file" /> Open unsigned PDF
      </a>
    )}
    {unsignedPdf === 'download' && (
      <a class="button" href={copyOf(taskId)} download={`document-${taskId}-not-signed.pdf`}>
        <Icon name="download" /> Unsigned PDF
      </a>
    )}
  </div>
)

const copyOf = (taskId: number) => `/inbox/api/documents/${taskId}/copy`
