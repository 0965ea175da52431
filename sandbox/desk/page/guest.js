import { make } from '/common/dom.js';
import { showToast } from '/common/shell.js';

import { fetchView, runAction } from './api.js';
import { createForm } from './fields.js';
import { createOrderSection } from './orders.js';
import { toApiInput, toFormValues, createRegistrationFields, formatDisplayName } from './forms.js';
import { createStatusChip, formatStatus, describeVisit, formatDayAndTime } from './rows.js';
import { openSheet, createSheetSection, setSheetTitle } from './sheet.js';

const service = 'eventRegistration';

/** Opens the sheet of a registration. */
export async function openRegistration(event, registrationId, { now }) {
	const ids = { eventId: event.id, registrationId };
	const load = () => fetchView(service, 'person', ids);
	let person = await load();

	const readFormValues = ({ registration }) => ({
		...toFormValues(event.form, registration),
		RegistrationTypeId: registration.RegistrationTypeId,
	});
	const details = createForm({
		fields: createRegistrationFields(event),
		values: readFormValues(person),
		submitLabel: 'Save Changes',
		onSubmit: async ({ RegistrationTypeId, ...values }) => {
			const input = toApiInput(event.form, values);
			await runAction(service, 'changeRegistration', { ...ids, ...input, RegistrationTypeId });
			showToast('Saved', 'good');
			await refresh();
		},
	});
	const header = make('div', { class: 'facts-line' });
	const order = createOrderSection(event, ids, () => refresh());
	const visits = make('ul', { class: 'lines' });

	const setStatus = async (status) => {
		try {
			await runAction(service, 'setRegistrationStatus', { ...ids, status });
			showToast(`The registration is ${formatStatus(status.toLowerCase())}`, 'good');
		} catch (error) {
			showToast(error.message, 'bad');
		}
		await refresh();
	};

	function show() {
		const { registration } = person;
		const isCancelled = registration.RegistrationStatus === 'Cancelled';
		const isConfirmed = registration.RegistrationStatus === 'Confirmed';
		setSheetTitle(formatDisplayName(registration));
		header.replaceChildren(
			createStatusChip(registration.RegistrationStatus),
			make('code', {}, registration.ConfirmationCode),
			make(
				'span',
				{ class: 'from' },
				`Registered ${formatDayAndTime(registration.RegistrationDate)}`,
			),
			make(
				'div',
				{ class: 'buttons' },
				!isConfirmed &&
					make(
						'button',
						{ class: 'button', type: 'button', onclick: () => setStatus('Confirmed') },
						'Confirm Registration',
					),
				!isCancelled &&
					make(
						'button',
						{ class: 'button deny', type: 'button', onclick: () => setStatus('Cancelled') },
						'Cancel Registration',
					),
			),
		);
		details.update(readFormValues(person));
		order.show(person);
		const visitItems = person.visits.map((visit) =>
			make('li', {}, make('b', {}, visit.at), make('span', {}, describeVisit(visit, now()))),
		);
		visits.replaceChildren(
			...(visitItems.length > 0 ? visitItems : [make('li', {}, 'No visits yet.')]),
		);
	}
	async function refresh() {
		const focused = document.activeElement;
		person = await load();
		show();
		// The clicked button was replaced.
		if (!focused.isConnected) document.getElementById('sheet-title').focus();
	}

	openSheet(
		formatDisplayName(person.registration),
		[
			header,
			createSheetSection('Order', order.element),
			createSheetSection('Visits', visits),
			createSheetSection('Details', details.form),
		],
		refresh,
	);
	show();
}
