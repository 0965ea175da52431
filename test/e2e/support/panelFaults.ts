import type { Page } from 'playwright-core';

/** Returns the faults that the editor shows: texts that are cut off, and n8n's own error texts. */
export async function findPanelFaults(page: Page, within: string): Promise<string[]> {
	return await page.locator(within).evaluateAll((roots) => {
		const errorTexts = /No fields found|No input data yet|Error fetching|Could not load/;
		const faults: string[] = [];
		for (const root of roots) {
			const shownText = (root as HTMLElement).innerText;
			const errorText = errorTexts.exec(shownText);
			if (errorText) faults.push(errorText[0]);
			for (const element of root.querySelectorAll('*')) {
				// Values that users entered or chose may be long: they scroll. Pictures have no text.
				const isText =
					element instanceof HTMLElement && !/^(INPUT|TEXTAREA)$/.test(element.tagName);
				if (!isText || !element.checkVisibility()) continue;
				const { textOverflow, webkitLineClamp, overflow } = getComputedStyle(element);
				const cutsWidth = textOverflow === 'ellipsis' && overflow !== 'visible';
				const cutsLines = webkitLineClamp !== 'none' && webkitLineClamp !== '';
				const isCut =
					(cutsWidth && element.scrollWidth > element.clientWidth + 1) ||
					(cutsLines && element.scrollHeight > element.clientHeight + 2);
				const text = element.innerText.trim();
				if (isCut && text !== '') faults.push(`cut off: ${text}`);
			}
		}
		return [...new Set(faults)];
	});
}
