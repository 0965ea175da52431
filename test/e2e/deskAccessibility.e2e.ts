import { useDesk } from './desk.browser';
import { findAccessibilityViolations } from './support/accessibilityViolations';

const { page, button, tab, chooseEvent, expectProblem } = useDesk();

describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
	it.each([390, 1280])('has no accessibility violations at %d pixels', async (width) => {
		await page().emulateMedia({ colorScheme, reducedMotion: 'reduce' });
		await page().setViewportSize({ width, height: 860 });
		await chooseEvent(1010);
		await page().getByText('The newest 50 of').waitFor();
		const places: Record<string, string[]> = { people: await findAccessibilityViolations(page()) };
		await button('Register a Person').click();
		await button('Register').click();
		await page().getByText('The First name field is required.').waitFor();
		expectProblem('status of 400');
		places.register = await findAccessibilityViolations(page());
		await page().keyboard.press('Escape');
		await page().locator('#people .name').first().click();
		await page().getByRole('heading', { name: 'Visits' }).waitFor();
		for (const summary of await page().locator('summary').all()) await summary.click();
		places.guest = await findAccessibilityViolations(page());
		await page().keyboard.press('Escape');
		for (const name of ['Program', 'Contacts', 'Activity']) {
			await tab(name).click();
			places[name] = await findAccessibilityViolations(page());
		}
		await page().getByText('Event Data', { exact: true }).click();
		await tab('People').click();
		await page().locator('#people .name').first().click();
		await page().getByRole('heading', { name: 'Registrations' }).waitFor();
		places.attendee = await findAccessibilityViolations(page());
		expect(Object.entries(places).filter(([, list]) => list.length > 0)).toEqual([]);
	});
});
