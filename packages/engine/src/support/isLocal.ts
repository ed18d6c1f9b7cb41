/** Whether the URL points to this machine, as a devnet's does. */
export function isLocal(address: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(address).hostname)
}
