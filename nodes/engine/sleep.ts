import { sleep as n8nSleep } from 'n8n-workflow';

/** Waits, and rejects as soon as the signal is given. n8n's own overlooks the signal in older versions, and would sleep on. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
	if (!signal) return await n8nSleep(ms);
	signal.throwIfAborted();
	let onAbort = (): void => undefined;
	const aborted = new Promise<never>((_, reject) => {
		onAbort = () => reject(signal.reason);
	});
	signal.addEventListener('abort', onAbort);
	try {
		await Promise.race([n8nSleep(ms, signal), aborted]);
	} finally {
		signal.removeEventListener('abort', onAbort);
	}
}
