/** Brings the copy buttons to life; each copies the text of the block that it stands above. */
export function enableCopying(root: ParentNode): void {
  for (const button of root.querySelectorAll<HTMLButtonElement>('[data-copy]')) {
    const block = button.closest('.command')?.querySelector('code')
    if (!block) continue
    button.hidden = false
    button.addEventListener('click', async () => {
      const isCopied = await navigator.clipboard.writeText(block.textContent).then(
        () => true,
        () => false,
      )
      if (!isCopied) getSelection()?.selectAllChildren(block)
      button.textContent = isCopied ? 'Copied' : 'Selected'
      setTimeout(() => {
        button.textContent = 'Copy'
      }, 1_500)
    })
  }
}
