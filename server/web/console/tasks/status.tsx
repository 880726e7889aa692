/** The status of a task as a badge. */
export const Status = ({ status, note = '' }: { status: string; note?: string }) => (
  <span class={`badge ${status}`}>
    {status}
    {note && ` · ${note}`}
  </span>
)
