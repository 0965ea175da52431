// Protects users of the desk who have a disability: axe finds no violation in its tabs, narrow or wide, light or dark.
import { useDesk } from './desk.browser';
import { findAccessibilityViolations } from './support/accessibilityViolations';

const { page, button, tab, chooseEvent, ignorePageError } = useDesk();

describe.each(['light', 'dark'] as const)('the desk in the %s color scheme', (colorScheme) => {
	it.each([390, 1280])('has no accessibility violations at %d pixels', async (width) => {
		await page().emulateMedia({ colorScheme, reducedMotion: 'reduce' });
		await page().setViewportSize({ width, height: 860 });
		await chooseEvent(1010);
		await page().getByText('The newest 50 of').waitFor();
		const violationsByPlace: Record<string, string[]> = {
			people: await findAccessibilityViolations(page()),
		};
		await button('Register a Person').click();
		await button('Register').click();
		await page().getByText('The First name field is required.').waitFor();
		ignorePageError('status of 400');
		violationsByPlace.register = await findAccessibilityViolations(page());
		await page().keyboard.press('Escape');
		await page().locator('#people .name').first().click();
		await page().getByRole('heading', { name: 'Visits' }).waitFor();
		for (const summary of await page().locator('summary').all()) await summary.click();
		violationsByPlace.guest = await findAccessibilityViolations(page());
		await page().keyboard.press('Escape');
		for (const name of ['Program', 'Contacts', 'Activity']) {
			await tab(name).click();
			violationsByPlace[name] = await findAccessibilityViolations(page());
		}
		await page().getByText('Event Data', { exact: true }).click();
		await tab('People').click();
		await page().locator('#people .name').first().click();
		await page().getByRole('heading', { name: 'Registrations' }).waitFor();
		violationsByPlace.attendee = await findAccessibilityViolations(page());
		expect(Object.entries(violationsByPlace).filter(([, list]) => list.length > 0)).toEqual([]);
	});
});
