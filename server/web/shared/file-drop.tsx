/** Takes a file that is dropped or chosen. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Icon } from './icon.tsx'

interface FileDropProps {
  /** As the attribute of the input has it. */
  accept: string
  onFile(file: File): Promise<void>
  /** Says what to drop. */
  children: ComponentChildren
}

export function FileDrop({ accept, onFile, children }: FileDropProps) {
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
      <span>{children}</span>
      <input type="file" accept={accept} onChange={(event) => void choose(event.currentTarget)} />
    </label>
  )
}
