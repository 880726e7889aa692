/** Takes a PDF that is dropped or chosen. */
import { useState } from 'preact/hooks'
import { Icon } from '../shared/icon.tsx'

interface FileDropProps {
  isBusy: boolean
  onFile(file: File): Promise<void>
}

export function FileDrop({ isBusy, onFile }: FileDropProps) {
  const [isOver, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const file = event.dataTransfer?.files[0]
    if (file) void onFile(file)
  }
  const choose = async (input: HTMLInputElement) => {
    const file = input.files?.[0]
    if (file) await onFile(file)
    // Emptied, so that the same file can be chosen again.
    input.value = ''
  }
  return (
    <label
      class={`drop ${isOver ? 'over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Icon name="file" />
      <span>{isBusy ? 'Checking…' : 'Drop a PDF here, or choose one'}</span>
      <input type="file" accept="application/pdf,.pdf" onChange={(event) => void choose(event.currentTarget)} />
    </label>
  )
}
