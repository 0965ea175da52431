/** Repeats an action until the promise settles. */
export async function actWhileRunning<T>(running: Promise<T>, act: () => unknown): Promise<T> {
	const progress = { isOver: false };
	const ended = running.finally(() => (progress.isOver = true));
	// Without a handler, a rejection during a failing action would hide that failure.
	ended.catch(() => undefined);
	while (!progress.isOver) {
		await act();
		await new Promise((resolve) => setImmediate(resolve));
	}
	return await ended;
}
