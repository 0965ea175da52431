import type { Page, Response } from 'playwright-core';

/** Whether a response belongs to the request that starts a run. */
export const isRunResponse = (response: Response) =>
	/\/rest\/workflows\/[^/]+\/run/.test(response.url());

/** Returns the execution ID in a response. Missing while n8n waits for a test event. */
export async function readExecutionId(response: Response): Promise<string | undefined> {
	const { data } = (await response.json()) as { data?: { executionId?: string } };
	return data?.executionId;
}

/** Reads from n8n's REST interface with the session of the page. */
const fetchData = async <T>(page: Page, path: string): Promise<T | undefined> =>
	await page.evaluate(async (address) => {
		const response = await fetch(`/rest${address}`, {
			headers: { 'browser-id': localStorage.getItem('n8n-browserId') ?? '' },
		});
		return ((await response.json()) as { data?: T }).data;
	}, path);

const hasEnded = (status: string) => !['', 'new', 'running', 'waiting'].includes(status);

/** Waits until this many runs of a workflow have ended. */
export async function waitForRuns(
	page: Page,
	workflowId: string,
	count: number,
	timeout: number,
): Promise<void> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId }));
	const deadline = Date.now() + timeout;
	for (;;) {
		const executions = await fetchData<{ results: Array<{ status: string }> }>(
			page,
			`/executions?filter=${filter}`,
		);
		const endedCount = executions?.results.filter(({ status }) => hasEnded(status)).length ?? 0;
		if (endedCount >= count) return;
		if (Date.now() > deadline)
			throw new Error(`${endedCount} of ${count} runs after ${timeout} ms`);
		await page.waitForTimeout(200);
	}
}

/** Waits until a run has ended and returns its status. */
export async function waitForRun(page: Page, id: string, timeout: number): Promise<string> {
	const deadline = Date.now() + timeout;
	for (;;) {
		const { status = '' } = (await fetchData<{ status?: string }>(page, `/executions/${id}`)) ?? {};
		if (hasEnded(status)) return status;
		if (Date.now() > deadline) throw new Error(`Run ${id} is still ${status} after ${timeout} ms`);
		await page.waitForTimeout(200);
	}
}
