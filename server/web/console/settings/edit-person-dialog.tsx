/** Edits an account: its name, and for an operator its address, its role, and whose it is. */
import { useState } from 'preact/hooks'
import type { AccountChangeBody, Person } from '../../../operations/operator/messages/accounts.ts'
import type { Organization } from '../../../operations/operator/messages/organizations.ts'
import type { StoredProvider } from '../../../operations/operator/messages/providers.ts'
import { announce } from '../../shared/announce.tsx'
import { Dialog } from '../../shared/dialogs/dialog.tsx'
import { t } from '../../words/words.ts'
import { callAdmin } from '../admin-api.ts'
import type { Texts } from '../entry-form.tsx'
import { Choice, Field, FieldForm } from '../field-form.tsx'

interface EditPersonDialogProps {
  person: Person
  /** Whether the account is that of the visitor, who keeps the role. */
  isOwn: boolean
  isOperator: boolean
  signers: readonly StoredProvider[]
  organizations: readonly Organization[]
  reload(): Promise<void>
  onClose(): void
}

type Role = Person['role']

export function EditPersonDialog(props: EditPersonDialogProps) {
  const { person, isOwn, isOperator, signers, organizations, reload, onClose } = props
  const [role, setRole] = useState<Role>(person.role)
  const save = async ({ name = '', email = '', npi, organizationId }: Texts) => {
    const whose = {
      ...(role === 'signer' && npi && { npi }),
      ...(role === 'administrator' && organizationId && { organizationId: Number(organizationId) }),
    }
    const body: AccountChangeBody = {
      ...(name !== person.name && { name }),
      ...(isOperator && email.toLowerCase() !== person.email && { email }),
      ...(isOperator && role !== person.role && { role }),
      ...(isOperator && !isSame(person, whose) && whose),
    }
    if (Object.keys(body).length > 0) {
      await callAdmin('PATCH', `/accounts/${person.id}`, body)
      announce(t('people.saved', { name }))
      await reload()
    }
    onClose()
  }
  return (
    <Dialog title={t('people.editOf', { name: person.name })} onClose={onClose}>
      <FieldForm verb={t('people.save')} onSend={save}>
        <Field name="name" label={t('setUp.name')} value={person.name} required maxLength={200} />
        {isOperator && (
          <>
            <Field name="email" label={t('setUp.email')} type="email" value={person.email} required maxLength={254} />
            {!isOwn && (
              <Choice
                name="role"
                label={t('people.role')}
                options={roles.map((one) => [one, t(`people.role.${one}`)])}
                value={person.role}
                onChoose={(chosen) => setRole(chosen as Role)}
              />
            )}
            {role === 'signer' && (
              <Choice
                name="npi"
                label={t('people.provider')}
                placeholder={t('setUp.chooseSigner')}
                options={signers.map(({ npi, signingName }) => [npi, `${signingName}, ${npi}`])}
                value={person.npi ?? ''}
              />
            )}
            {role === 'administrator' && (
              <Choice
                name="organizationId"
                label={t('people.organization')}
                placeholder={t('people.chooseOrganization')}
                options={organizations.map(({ id, name }) => [String(id), name])}
                value={String(person.organizationId ?? '')}
              />
            )}
            <p>{t('people.editEnds')}</p>
          </>
        )}
      </FieldForm>
      <div class="actions">
        <button type="button" onClick={onClose}>
          {t('verb.back')}
        </button>
      </div>
    </Dialog>
  )
}

const roles = ['signer', 'administrator', 'operator'] as const

const isSame = (person: Person, whose: Pick<AccountChangeBody, 'npi' | 'organizationId'>): boolean =>
  (whose.npi ?? null) === person.npi && (whose.organizationId ?? null) === person.organizationId
