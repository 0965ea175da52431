import { source } from 'axe-core';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/** Returns the accessibility violations that axe finds in the page. */
export async function findAccessibilityViolations(page: Page): Promise<string[]> {
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
