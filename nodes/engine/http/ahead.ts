/**
 * Asks for the pages that follow while one is read, so many at a time. They come out in the order in which they are wanted; one
 * that is never wanted may fail, since behind the last page some services do.
 */
export class PagePrefetcher<Page> {
	private readonly inFlight = new Map<number, Promise<Page>>();

	constructor(
		private readonly fetchPage: (number: number) => Promise<Page>,
		private concurrency: number,
	) {}

	/** From now on one page after the other. */
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
