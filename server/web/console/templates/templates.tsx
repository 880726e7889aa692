/** The templates on offer, to edit or retire, and the way to a new one; for an operator also the document types. */
import { useState } from 'preact/hooks'
import type { ListedTemplate } from '../../../operations/operator/messages/templates.ts'
import { ConfirmDialog } from '../../shared/dialogs/confirm-dialog.tsx'
import { Icon } from '../../shared/icon.tsx'
import { act } from '../act.ts'
import { ConsolePage } from '../console-page.tsx'
import { useLive } from '../live.ts'
import { type Columns, Table } from '../table.tsx'
import { DocumentTypes } from './document-types.tsx'

export function Templates({ isOperator }: { isOperator: boolean }) {
  const [templates, reload] = useLive<ListedTemplate[]>('/templates')
  const [retiring, setRetiring] = useState<ListedTemplate | null>(null)
  const retire = ({ templateId }: ListedTemplate) => {
    setRetiring(null)
    return act('POST', `/templates/${templateId}/retire`, {
      done: `Template ${templateId} has been retired.`,
      reload,
    })
  }
  const tools = (
    <a class="button" href="#/templates/new">
      <Icon name="plus" /> New template
    </a>
  )
  return (
    <ConsolePage title="Templates" tools={tools}>
      <Table
        rows={templates}
        keyOf={({ templateId }) => templateId}
        columns={columns}
        actions={(template) => <TemplateActions template={template} onRetire={() => setRetiring(template)} />}
        empty="There are no templates yet."
      />
      {isOperator && <DocumentTypes />}
      {retiring && (
        <ConfirmDialog
          title={`Retire template ${retiring.templateId}`}
          verb="Retire template"
          onConfirm={() => void retire(retiring)}
          onClose={() => setRetiring(null)}
        >
          {retiring.summary} will no longer be offered to {retiring.organization}. Documents already sent with it are
          not affected.
        </ConfirmDialog>
      )}
    </ConsolePage>
  )
}

const columns: Columns<ListedTemplate> = [
  { name: 'Template', cell: ({ templateId }) => templateId },
  { name: 'Name', cell: ({ summary }) => summary },
  { name: 'Organization', cell: ({ organization }) => organization },
  { name: 'Clinical date', cell: ({ clinicalDateLabel }) => clinicalDateLabel },
  {
    name: 'Window',
    cell: ({ daysBefore, daysAfter }) =>
      daysBefore === null && daysAfter === null ? 'any day' : `−${daysBefore ?? '∞'} to +${daysAfter ?? '∞'} days`,
  },
  { name: 'Diagnosis', isShort: true, cell: ({ diagnosisCode }) => diagnosisCode },
  { name: 'Fields', cell: ({ fields }) => fields },
]

const TemplateActions = ({ template, onRetire }: { template: ListedTemplate; onRetire(): void }) => (
  <>
    <a
      class="button small"
      href={`#/templates/${template.templateId}`}
      aria-label={`Edit template ${template.templateId}`}
    >
      Edit
    </a>
    <button type="button" class="small danger" aria-label={`Retire template ${template.templateId}`} onClick={onRetire}>
      Retire
    </button>
  </>
)
