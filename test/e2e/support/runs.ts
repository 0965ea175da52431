import type { Page, Response } from 'playwright-core';

/** Whether a response is the answer to starting a run. */
export const startsRun = (response: Response) =>
	/\/rest\/workflows\/[^/]+\/run/.test(response.url());

/** The id of the run that a response speaks of; none while n8n waits for a test event. */
export async function runId(response: Response): Promise<string | undefined> {
	const { data } = (await response.json()) as { data?: { executionId?: string } };
	return data?.executionId;
}

/** Waits until a run is over, asking n8n with the session of the page, and gives its status. */
export async function endOfRun(page: Page, id: string, timeout: number): Promise<string> {
	const deadline = Date.now() + timeout;
	for (;;) {
		const status = await page.evaluate(async (execution) => {
			const answer = await fetch(`/rest/executions/${execution}`, {
				headers: { 'browser-id': localStorage.getItem('n8n-browserId') ?? '' },
			});
			const { data } = (await answer.json()) as { data?: { status: string } };
			return data?.status ?? '';
		}, id);
		if (status && !['new', 'running', 'waiting'].includes(status)) return status;
		if (Date.now() > deadline) throw new Error(`Run ${id} is still ${status} after ${timeout} ms`);
		await page.waitForTimeout(200);
	}
}
