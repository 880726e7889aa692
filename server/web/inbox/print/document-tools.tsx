/** Offers printing, and a copy of the document where the operator allows one. */
import type { Opened } from '../../../operations/signer/messages.ts'
import type { Reader } from '../../pdf/reader.ts'
import { Icon } from '../../shared/icon.tsx'
import { t } from '../../words/words.ts'
import { PrintButton } from './print-button.tsx'

export const DocumentTools = ({ opened: { taskId, unsignedPdf }, reader }: { opened: Opened; reader: Reader }) => (
  <div class="document-tools">
    <PrintButton reader={reader} />
    {unsignedPdf === 'view' && (
      <a class="button" href={copyOf(taskId)} target="_blank" rel="noreferrer">
        <Icon name="file" /> {t('print.openUnsigned')}
      </a>
    )}
    {unsignedPdf === 'download' && (
      <a class="button" href={copyOf(taskId)} download={`document-${taskId}-not-signed.pdf`}>
        <Icon name="download" /> {t('print.unsigned')}
      </a>
    )}
  </div>
)

const copyOf = (taskId: number) => `/inbox/api/documents/${taskId}/copy`
