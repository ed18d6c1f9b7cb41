/** Whether the address is of this machine, as a devnet's is. */
export function isLocal(address: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(address).hostname)
}
