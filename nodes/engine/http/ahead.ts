/**
 * Asks for the pages that follow while one is read, so many at a time. They come out in the order in which they are wanted; one
 * that is never wanted may fail, since behind the last page some services do.
 */
export class PagesAhead<Page> {
	private readonly underWay = new Map<number, Promise<Page>>();

	constructor(
		private readonly get: (number: number) => Promise<Page>,
		private atATime: number,
	) {}

	/** From now on one page after the other. */
	slowDown(): void {
		this.atATime = 1;
	}

	async page(number: number): Promise<Page> {
		for (let next = number; next < number + this.atATime; next++) void this.ask(next);
		const page = this.ask(number);
		this.underWay.delete(number);
		return await page;
	}

	private ask(number: number): Promise<Page> {
		const asked = this.underWay.get(number);
		if (asked) return asked;
		const page = this.get(number);
		page.catch(() => undefined);
		this.underWay.set(number, page);
		return page;
	}
}
