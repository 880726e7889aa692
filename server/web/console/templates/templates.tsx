/** The templates that are offered, the way to a new one, and to edit or retire one. */
import { useState } from 'preact/hooks'
import type { ListedTemplate } from '../../../operations/operator/messages/templates.ts'
import { Dialog } from '../../shared/dialog.tsx'
import { Icon } from '../../shared/icon.tsx'
import { useTitle } from '../../shared/title.ts'
import { act } from '../act.ts'
import { useLive } from '../live.ts'
import { DocumentTypes } from '../settings/document-types.tsx'

export function Templates({ isOperator }: { isOperator: boolean }) {
  const [templates, reload] = useLive<ListedTemplate[]>('/admin/v1/templates')
  const [retiring, setRetiring] = useState<ListedTemplate | null>(null)
  const retire = async ({ templateId }: ListedTemplate) => {
    setRetiring(null)
    await act(['POST', `/templates/${templateId}/retire`], undefined, `Template ${templateId} is retired.`, reload)
  }
  const heading = useTitle('Templates')
  return (
    <main class="console-page">
      <div class="console-head">
        <h1 ref={heading} tabIndex={-1}>
          Templates
        </h1>
        <a class="button" href="#/templates/new">
          <Icon name="plus" /> New template
        </a>
      </div>
      {templates?.length === 0 && <p class="empty">There is no template yet.</p>}
      {templates && templates.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">Template</th>
              <th scope="col">Name</th>
              <th scope="col">Organization</th>
              <th scope="col">Clinical date</th>
              <th scope="col">Window</th>
              <th scope="col">Diagnosis</th>
              <th scope="col">Fields</th>
              <th scope="col">
                <span class="unseen">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {templates.map((template) => (
              <tr key={template.templateId}>
                <th scope="row">{template.templateId}</th>
                <td data-label="Name">{template.summary}</td>
                <td data-label="Organization">{template.organization}</td>
                <td data-label="Clinical date">{template.clinicalDateLabel}</td>
                <td data-label="Window">{windowOf(template)}</td>
                <td data-label="Diagnosis">{template.diagnosisCode}</td>
                <td data-label="Fields">{template.fields}</td>
                <td class="row-acts">
                  <a
                    class="button small"
                    href={`#/templates/${template.templateId}`}
                    aria-label={`Edit template ${template.templateId}`}
                  >
                    Edit
                  </a>
                  <button
                    type="button"
                    class="small danger"
                    aria-label={`Retire template ${template.templateId}`}
                    onClick={() => setRetiring(template)}
                  >
                    Retire
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {isOperator && <DocumentTypes />}
      {retiring && (
        <Dialog title={`Retire template ${retiring.templateId}`} onClose={() => setRetiring(null)}>
          <p>
            {retiring.summary} is not offered to {retiring.organization} any more. Documents that were sent with it go
            on.
          </p>
          <div class="acts">
            <button type="button" onClick={() => setRetiring(null)}>
              Back
            </button>
            <button type="button" class="danger solid" onClick={() => void retire(retiring)}>
              Retire template
            </button>
          </div>
        </Dialog>
      )}
    </main>
  )
}

const windowOf = ({ daysBefore, daysAfter }: ListedTemplate): string =>
  daysBefore === null && daysAfter === null ? 'any day' : `−${daysBefore ?? '∞'} to +${daysAfter ?? '∞'} days`
