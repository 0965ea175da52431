import { sleep as nap } from 'n8n-workflow';

/** Waits, and rejects as soon as the signal is given. n8n's own overlooks the signal in older versions, and would sleep on. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
	if (!signal) return await nap(ms);
	signal.throwIfAborted();
	let wake = (): void => undefined;
	const woken = new Promise<never>((_, reject) => {
		wake = () => reject(signal.reason);
	});
	signal.addEventListener('abort', wake);
	try {
		await Promise.race([nap(ms, signal), woken]);
	} finally {
		signal.removeEventListener('abort', wake);
	}
}
