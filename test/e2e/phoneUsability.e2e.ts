// Protects users of the phone: it works with the keyboard alone, announces new requests, and needs no sideways scrolling.
import { usePhone } from './phone/phoneRig';
import { screenshot } from './support/artifacts';

const phone = usePhone();

it('the phone can be used with the keyboard alone, and announces new requests', async () => {
	const id = await phone.enroll();
	await phone.requestApproval(id, 'First');
	await phone.request('First').waitFor();
	await phone.page.locator('#announcer', { hasText: 'First' }).waitFor({ state: 'attached' });
	await phone.page.getByRole('button', { name: 'Approve: First' }).focus();
	await phone.requestApproval(id, 'Second');
	await phone.request('Second').waitFor();
	const readFocusedLabel = () =>
		phone.page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
	// A new request must not move the focus: the user may be about to decide another.
	expect(await readFocusedLabel()).toBe('Approve: First');
	await phone.page.keyboard.press('Enter');
	await phone.request('First').waitFor({ state: 'detached' });
	await phone.page.waitForFunction(
		() => document.activeElement?.getAttribute('aria-label') === 'Approve: Second',
	);
	await phone.tab('Requests').focus();
	await phone.page.keyboard.press('ArrowRight');
	expect(await phone.tab('Messages').getAttribute('aria-selected')).toBe('true');
	await phone.page.keyboard.press('End');
	expect(await phone.page.getByRole('heading', { name: 'Profile' }).isVisible()).toBe(true);
	await phone.page.keyboard.press('ArrowRight');
	expect(await phone.page.getByRole('heading', { name: 'Requests' }).isVisible()).toBe(true);
	const outline = await phone
		.tab('Requests')
		.evaluate((element) => getComputedStyle(element).outlineStyle);
	expect(outline).toBe('solid');
});

it.each([
	{ width: 320, height: 640 },
	{ width: 390, height: 800 },
	{ width: 1280, height: 860 },
])('the phone needs no sideways scrolling at $width pixels', async (size) => {
	await phone.page.setViewportSize(size);
	const details = { Reference: 'x'.repeat(120), [`${'Long'.repeat(20)}`]: 'value' };
	await phone.requestApproval(await phone.enroll(), 'W'.repeat(140), { details });
	await phone.request('WWWW').waitFor();
	const overflow = await phone.page.evaluate(() =>
		['html', 'main'].map((name) => {
			const element = document.querySelector(name)!;
			return element.scrollWidth - element.clientWidth;
		}),
	);
	expect(overflow).toEqual([0, 0]);
});

it('the buttons of a request with ten rows are in view at 400 × 800 pixels', async () => {
	await phone.page.setViewportSize({ width: 400, height: 800 });
	const rows = Array.from({ length: 10 }, (_, index) => [`Row ${index}`, `Value ${index}`]);
	const details = Object.fromEntries(rows) as Record<string, string>;
	await phone.requestApproval(await phone.enroll(), 'Ten rows', { details });
	await phone.request('Ten rows').waitFor();
	await screenshot(phone.page, 'ten rows');
	for (const verb of ['Approve', 'Deny']) {
		const button = phone.page.getByRole('button', { name: `${verb}: Ten rows` });
		const { y, height } = (await button.boundingBox())!;
		// Something else may be drawn above it.
		const isOnTop = await button.evaluate((element) => {
			const { left, top, width, height } = element.getBoundingClientRect();
			const topmost = document.elementFromPoint(left + width / 2, top + height / 2);
			return element.contains(topmost);
		});
		expect({ isInView: y >= 0 && y + height <= 800, isOnTop }).toEqual({
			isInView: true,
			isOnTop: true,
		});
	}
});
