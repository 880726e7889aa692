/** Edits the treatment of scripts, actions and attached files in the documents that an organization sends. */
import {
  type ActiveContent,
  activeContentKinds,
  type Treatment,
  treatments,
} from '../../../../lib/pdf/prepare/active-content.ts'
import type { ChangeBody, OrganizationFile } from '../../../operations/operator/messages/organizations.ts'
import { announce } from '../../shared/announce.tsx'
import { t } from '../../words/words.ts'
import { textsOf } from '../entry-form.tsx'

interface ActiveContentProps {
  file: OrganizationFile
  onChange(body: ChangeBody, done: string): Promise<unknown>
}

export function ActiveContentForm({ file: { organization, mayChange }, onChange }: ActiveContentProps) {
  const policy = organization.activeContent
  const save = (event: SubmitEvent) => {
    event.preventDefault()
    const chosen = textsOf(new FormData(event.currentTarget as HTMLFormElement))
    const changed = Object.entries(chosen).filter(([kind, treatment]) => policy[kind as ActiveContent] !== treatment)
    if (changed.length === 0) return announce(t('organization.unchanged'))
    const activeContent: ChangeBody['activeContent'] = Object.fromEntries(changed)
    void onChange({ activeContent }, t('organization.savedFuture'))
  }
  return (
    <section class="panel" aria-labelledby="active-content">
      <h2 id="active-content">{t('content.title')}</h2>
      <p>{t('content.text')}</p>
      {/* The key makes a new form when somebody else has changed the settings. */}
      <form class="panel-form" key={Object.values(policy).join()} onSubmit={save}>
        {activeContentKinds.map((kind) => (
          <label key={kind}>
            {labels[kind]}
            <select name={kind}>
              {treatments.map((treatment) => (
                <option
                  key={treatment}
                  value={treatment}
                  selected={policy[kind] === treatment}
                  disabled={treatment === 'allow' && !mayChange && policy[kind] !== 'allow'}
                >
                  {meanings[treatment]}
                </option>
              ))}
            </select>
          </label>
        ))}
        <button type="submit">{t('verb.save')}</button>
      </form>
      {!mayChange && <small>{t('content.operatorOnly')}</small>}
    </section>
  )
}

const labels: Readonly<Record<ActiveContent, string>> = {
  javaScript: t('content.javaScript'),
  openAction: t('content.openAction'),
  embeddedFiles: t('content.embeddedFiles'),
}

const meanings: Readonly<Record<Treatment, string>> = {
  strip: t('content.strip'),
  refuse: t('content.refuse'),
  allow: t('content.allow'),
}
