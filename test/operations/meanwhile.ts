/** Does again and again what a person does, until something has ended. */
export async function meanwhile<T>(running: Promise<T>, act: () => unknown): Promise<T> {
	const state = { over: false };
	const ended = running.finally(() => (state.over = true));
	while (!state.over) {
		await act();
		await new Promise((resolve) => setImmediate(resolve));
	}
	return await ended;
}
