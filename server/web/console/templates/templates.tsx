/** The templates on offer, to edit or retire, and the way to a new one; for an operator also the document types. */
import { useState } from 'preact/hooks'
import type { ListedTemplate } from '../../../operations/operator/messages/templates.ts'
import { ConfirmDialog } from '../../shared/dialogs/confirm-dialog.tsx'
import { Icon } from '../../shared/icon.tsx'
import { t } from '../../words/words.ts'
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
      done: t('template.retired', { id: String(templateId) }),
      reload,
    })
  }
  const tools = (
    <a class="button" href="#/templates/new">
      <Icon name="plus" /> {t('template.new')}
    </a>
  )
  return (
    <ConsolePage title={t('console.templates')} tools={tools}>
      <Table
        rows={templates}
        keyOf={({ templateId }) => templateId}
        columns={columns}
        actions={(template) => <TemplateActions template={template} onRetire={() => setRetiring(template)} />}
        empty={t('template.noneYet')}
      />
      {isOperator && <DocumentTypes />}
      {retiring && (
        <ConfirmDialog
          title={t('template.retireOf', { id: String(retiring.templateId) })}
          verb={t('template.retireVerb')}
          onConfirm={() => void retire(retiring)}
          onClose={() => setRetiring(null)}
        >
          {t('template.retireText', { name: retiring.summary, organization: retiring.organization })}
        </ConfirmDialog>
      )}
    </ConsolePage>
  )
}

const columns: Columns<ListedTemplate> = [
  { name: t('template.template'), cell: ({ templateId }) => templateId },
  { name: t('organization.name'), cell: ({ summary }) => summary },
  { name: t('console.organization'), cell: ({ organization }) => organization },
  { name: t('template.date'), cell: ({ clinicalDateLabel }) => clinicalDateLabel },
  {
    name: t('template.window'),
    cell: ({ daysBefore, daysAfter }) =>
      daysBefore === null && daysAfter === null
        ? t('template.anyDay')
        : t('template.span', { before: daysBefore ?? '∞', after: daysAfter ?? '∞' }),
  },
  { name: t('template.diagnosis'), isShort: true, cell: ({ diagnosisCode }) => t(`rule.${diagnosisCode}`) },
  { name: t('template.fields'), cell: ({ fields }) => fields },
]

const TemplateActions = ({ template, onRetire }: { template: ListedTemplate; onRetire(): void }) => (
  <>
    <a
      class="button small"
      href={`#/templates/${template.templateId}`}
      aria-label={t('template.editOf', { id: String(template.templateId) })}
    >
      {t('verb.edit')}
    </a>
    <button
      type="button"
      class="small danger"
      aria-label={t('template.retireOf', { id: String(template.templateId) })}
      onClick={onRetire}
    >
      {t('template.retire')}
    </button>
  </>
)
