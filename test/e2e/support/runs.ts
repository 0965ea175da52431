import type { Page, Response } from 'playwright-core';

/** Whether a response is the answer to starting a run. */
export const startsRun = (response: Response) =>
	/\/rest\/workflows\/[^/]+\/run/.test(response.url());

/** The id of the run that a response speaks of; none while n8n waits for a test event. */
export async function runId(response: Response): Promise<string | undefined> {
	const { data } = (await response.json()) as { data?: { executionId?: string } };
	return data?.executionId;
}

/** Asks n8n's REST interface with the session of the page. */
const ask = async <T>(page: Page, path: string): Promise<T | undefined> =>
	await page.evaluate(async (address) => {
		const response = await fetch(`/rest${address}`, {
			headers: { 'browser-id': localStorage.getItem('n8n-browserId') ?? '' },
		});
		return ((await response.json()) as { data?: T }).data;
	}, path);

const isOver = (status: string) => !['', 'new', 'running', 'waiting'].includes(status);

/** Waits until this many runs of a workflow have ended. */
export async function endOfRuns(
	page: Page,
	workflowId: string,
	count: number,
	timeout: number,
): Promise<void> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId }));
	const deadline = Date.now() + timeout;
	for (;;) {
		const executions = await ask<{ results: Array<{ status: string }> }>(
			page,
			`/executions?filter=${filter}`,
		);
		const over = executions?.results.filter(({ status }) => isOver(status)).length ?? 0;
		if (over >= count) return;
		if (Date.now() > deadline) throw new Error(`${over} of ${count} runs after ${timeout} ms`);
		await page.waitForTimeout(200);
	}
}

/** Waits until a run is over and gives its status. */
export async function endOfRun(page: Page, id: string, timeout: number): Promise<string> {
	const deadline = Date.now() + timeout;
	for (;;) {
		const { status = '' } = (await ask<{ status?: string }>(page, `/executions/${id}`)) ?? {};
		if (isOver(status)) return status;
		if (Date.now() > deadline) throw new Error(`Run ${id} is still ${status} after ${timeout} ms`);
		await page.waitForTimeout(200);
	}
}
