/**
 * Requests the next pages of a list while the caller reads one, up to a concurrency limit. The failure of a page that the
 * caller never reads is ignored: some services respond with an error beyond the last page.
 */
export class PagePrefetcher<Page> {
	private readonly inFlight = new Map<number, Promise<Page>>();

	constructor(
		private readonly fetchPage: (number: number) => Promise<Page>,
		private concurrency: number,
	) {}

	/** Requests pages sequentially from now on. */
	stopPrefetching(): void {
		this.concurrency = 1;
	}

	async page(number: number): Promise<Page> {
		for (let next = number; next < number + this.concurrency; next++) void this.request(next);
		const page = this.request(number);
		this.inFlight.delete(number);
		return await page;
	}

	private request(number: number): Promise<Page> {
		const requested = this.inFlight.get(number);
		if (requested) return requested;
		const page = this.fetchPage(number);
		page.catch(() => undefined);
		this.inFlight.set(number, page);
		return page;
	}
}
