import { startDevnet } from '@sluice/devnet'
import { createRpc } from '@sluice/deploy'
const t=Date.now()
const d = await startDevnet({port:0})
console.log('ms',Date.now()-t, d.chains.map(c=>[c.chainId,c.pools.length,Object.keys(c.tokens).length]))
for(const c of d.chains){const b:any=await createRpc(c.rpcUrl).request('eth_getBlockByNumber',['latest',false]);console.log(c.chainId,Number(b.number),'ahead s',Number(b.timestamp)-Date.now()/1000, BigInt(b.gasLimit))}
await d.stop()
console.log('stopped',Date.now()-t)
