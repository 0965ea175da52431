import { source } from 'axe-core';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/** What stands in the way of people who see badly, hear the page instead, or have only a keyboard, by axe's rules. */
export async function barriers(page: Page): Promise<string[]> {
	await page.evaluate(source);
	const { violations } = await page.evaluate(
		async () =>
			await (
				globalThis as unknown as { axe: { run: (root: Document) => Promise<AxeResults> } }
			).axe.run(document),
	);
	return violations.flatMap(({ id, help, nodes }) =>
		nodes.map(({ target, html }) => `${id} (${help}): ${target.join(' ')} ${html.slice(0, 80)}`),
	);
}
