/**
 * Documents as people write them, in three rounds, each labelled before the reader saw it. The first column says what a line is:
 * `+` asks for something, `-` must not be counted, a blank may be either.
 */
export const ordinaryDocs: Readonly<Record<string, string>> = {
  'prompt for a page': `
Make me a landing page for my yoga studio in Bern.
 
+Use calm colours, mostly green and white.
+Put a big photo at the top with the name "Studio Aare" over it.
+Below that list the three courses: Hatha, Vinyasa, Yin. Each one has a price and a short text.
+The menu should stick to the top when scrolling.
+No pop-ups please.
+Don't use any framework, plain HTML and CSS only.
+It has to look good on my phone.
-Thanks, you're the best!
`,
  'bug report': `
-### Describe the bug
-When I press Enter in the search box, the page reloads and my filters are gone.
 
-### Steps to reproduce
-1. Open /products
-2. Choose a filter
-3. Type "lamp" and press Enter
 
-### Expected behavior
+The results update without a reload and the filters stay.
 
-### Actual behavior
-- The whole page reloads
-- Filters must be set again by hand
 
-### Environment
-Chrome 130, Windows 11
 
-### Proposed fix
+Handle the submit event in \`SearchBox.tsx\` and call \`preventDefault\`.
+Add a regression test.
`,
  coursework: `
-# Assignment 3: Text statistics
 
-Due: Friday, 23:59. This assignment is worth 10 % of your grade.
 
-In this assignment you will write a small command line program in Python.
 
-## What to do
 
+Write a program \`stats.py\` that reads a text file and prints how often each word occurs.
 
+1. Your program must accept the name of the file as its only argument.
+2. If the file does not exist, print \`cannot open FILE\` and exit with status 1.
+3. Words are compared without regard to case.
+4. Print the ten most frequent words, most frequent first.
 
-## Hints
-- Look at \`collections.Counter\`
-- You can assume that the file is UTF-8
 
-## Grading
-| Part | Points |
-|---|---|
-| Correct output | 6 |
-| Style | 4 |
 
-## Rules
+You may not use external libraries.
-You must work alone.
`,
  PRD: `
-# PRD: Saved searches
 
-Author: Kim Lee · Status: draft · Last edited 2026-03-02
 
-## TL;DR
-Shoppers repeat the same searches every week. We let them save a search and hear about new results.
 
-## Background
-In interviews, 7 of 12 shoppers said they keep a list of links by hand. Competitors have had this for years.
 
-## Goals
 
+- Shoppers can save any search with one click
+- Shoppers get one mail per day at most with new results
 
-## Non-goals
-- Push notifications
-- Sharing searches with others
 
-## Functional requirements
-### Saving
+- A "Save search" button is shown next to the result count
+- The name of a saved search is its query and can be changed
+- A shopper can keep up to 20 saved searches
+- When the limit is reached, the button is disabled and explains why
 
-### Mails
+- Mails are sent at 07:00 in the time zone of the shopper
+- Every mail contains a link that ends it
 
-## Non-functional requirements
+- p95 of saving is under 300 ms
+- GDPR: saved searches are deleted with the account
 
-## Metrics
-- 5 % of active shoppers save a search within 30 days
 
-## Open questions
-- Do guests need this?
-- Must the mail be translated?
 
-## Timeline
-- Design: March
-- Beta: May
`,
  'mail from a client': `
-Hello Anna,
 
-hope you had a good weekend! We looked at the draft of the brochure yesterday, here is our feedback.
 
+- Page 1: the logo is too small, please make it twice as big
+- Page 2: replace the photo of the old building
+- Page 4: the phone number is wrong, it should be 030 1234567
 
+Please also remove the word "cheap" everywhere. The prices must include VAT.
 
-Peter thinks the green is a bit dark, but I like it. We have to send it to the printer next Monday.
 
-Best,
-Olga
`,
  'Jira ticket': `
-h2. Context
 
-SHOP-1182: Support gets about 30 calls per week because of expired vouchers.
 
+**As a** customer **I want** to see when my voucher expires **so that** I can use it in time.
 
-**Acceptance Criteria**
 
+* Given a voucher with an end date, when I open my account, then the date is shown next to the code
+* Given a voucher that expires within 7 days, then the date is red
+* Vouchers without an end date show "no expiry"
 
-**Out of scope**
-* Reminder mails
 
-**Dev notes**
-* \`VoucherService\` has the date already
-* Talk to Mia about the translations
 
-**DoD**
+* [ ] Unit tests
+* [ ] Reviewed by UX
`,
  'API spec': `
-# Rate API
 
-The Rate API returns exchange rates. It is used by the checkout and by the invoice service.
 
-## Endpoints
 
-### GET /rates
 
+Returns the rates of a day. The \`date\` parameter is optional and defaults to today.
 
-| Parameter | Type | Description |
-|---|---|---|
+| base | string | Three letters, required |
 | date | string | ISO date |
 
-Response:
 
-\`\`\`json
-{"base": "EUR", "rates": {"USD": 1.08}}
-\`\`\`
 
-- **base**: *string*
-- **rates**: *object*
 
+The service MUST answer with 400 if \`base\` is unknown.
+Rates SHALL have at least six significant digits.
+Clients SHOULD cache a response for one hour.
 
-## Errors
+- Unknown routes must return 404 with a JSON body
 
-## History
-- 1.0: first version
`,
  'issue, feature request': `
-**Is your feature request related to a problem? Please describe.**
-I'm always frustrated when I have to click through 20 pages of logs.
 
-**Describe the solution you'd like**
+A search field above the log that filters lines while I type. Matches should be highlighted.
 
-**Describe alternatives you've considered**
-Downloading the log and using grep. It must be downloaded each time.
 
-**Additional context**
-We run 40 builds a day.
`,
  'app spec by screens': `
-# Habit tracker
 
-A small app to track habits. Everything stays on the device.
 
-## Today
+- The screen must show today's habits
+- Tapping a habit marks it as done
+- Done habits must be at the bottom
 
-## History
+- The screen must show a calendar of the last 12 months
+- Days without a habit must be grey
 
-## Settings
+- Users can export all data as CSV
+- Users can delete all data; the app must ask twice
 
-## Results
+- The streak must never count a day twice
`,
  'meeting notes': `
-# Sync 12 May
 
-Present: Ali, Ben, Chris
 
-- Ali showed the new chart, everybody liked it
-- Legend overlaps on small screens
-- Ben: customers ask for a dark mode all the time
 
-## Decisions
+- The legend moves below the chart on screens under 600 px
+- Dark mode follows the setting of the system
 
-## Action items
+- [ ] Ben: add a dark palette
+- [ ] Chris: update the screenshots in the docs
 
-## Next meeting
-Friday 10:00. Chris must bring the numbers.
`,
  'short tasks': `
+Rename the button "Go" to "Search".
+Center the title.
+Align the prices to the right.
+Also increase the font size of the footer to 14px.
+Turn off autocomplete in the password field.
+The tooltip is not needed any more, delete it.
`,
  'blog brief': `
-# Brief: article about heat pumps
 
-**Audience**: home owners without technical background
-**Deadline**: 3 June
 
-Write an article about heat pumps in old buildings.
 
-## Content
+- Explain how a heat pump works in simple words
+- Compare the cost with gas over 15 years
+- Mention at least two subsidies
+- Include a quote of an expert
 
-## Style
+- 800 to 1,000 words
+- No jargon
+- Short paragraphs, subheadings every 150 words
 
-## SEO
+- The keyword "heat pump old building" must be in the title
 
-## References
-- [Study of the institute](https://example.org/study)
-- https://example.org/prices
`,
  'infra request': `
-## Why
-Our nightly backup failed twice in April and nobody noticed.
 
-## What changes
+- Send an alert to #ops if the backup fails
+- Keep backups for 35 days instead of 14
+- Encrypt them with the new key
 
-## How to test
-1. Run \`make backup\`
-2. Stop the database
-3. The alert must arrive within 5 minutes
 
-## Risks
-- Storage costs rise by 20 %
-- The key must not get lost
 
-## Rollout
-Enable it on staging first.
`,
  'component spec': `
-# DatePicker
 
-Lets a user pick a date.
 
-## Props
 
-- \`value\`: Date
-- \`onChange\`: function
-- \`min\`: Date, optional
 
-## Behaviour
 
+The popup opens on click and on \`ArrowDown\`.
+It closes on Escape, and the focus returns to the input.
+Dates before \`min\` cannot be selected.
 
-## Accessibility
+- The grid has the role \`grid\`
+- All buttons have names
+- Screen readers announce the selected date
`,
  'rest endpoint task': `
-# Task: password reset
 
-Right now people who forget their password write to support. We get about 15 mails a week.
 
-## Endpoint
 
+\`POST /password-resets\` takes an email and always answers 202, whether the address is known or not.
 
-The mail contains a link with a token:
 
+- tokens are valid for 30 minutes
+- a token can be used once
+- at most 3 mails per hour and address
 
-## Page
 
+The page at \`/reset/:token\` asks for the new password twice.
+If the token is expired, show a link to request a new one.
 
-## Tests
 
+Cover the happy path, an expired token and a reused token.
 
-## Not now
- SMS
`,
  'cli readme driven': `
-# dedupe-photos
 
-Find duplicate photos and move them to a folder.
 
-## Usage
 
-    dedupe-photos SOURCE --to FOLDER
 
-## What it should do
 
+* Compare photos by content, not by name
+* Keep the oldest file of each group
+* Print what it moved, one line per file
+* Never delete anything
+* Finish 10,000 photos in under a minute
 
-## Options
 
-| Option | Meaning |
-|---|---|
+| \`--dry-run\` | only print, must not touch files |
 | \`--to\` | target folder |
 
-## Ideas for later
-* Similar photos
`,
  ears: `
-# Requirements: coffee machine firmware
 
-## 1 Introduction
-This document describes the firmware of the model K2. Terms are explained in section 4.
 
-## 2 Requirements
 
+REQ-001 The machine shall heat water to 93 °C within 40 seconds.
+REQ-002 When the tank is empty, the machine shall show "Add water" and stop the pump.
+REQ-003 While the machine is brewing, the door shall be locked.
+REQ-004 If the temperature exceeds 110 °C, then the machine shall switch off the heater.
+REQ-005 Where a milk unit is installed, the machine shall offer cappuccino.
 
-## 3 Rationale
-REQ-001 was 60 seconds in K1. Customers complained that they had to wait.
 
-## 4 Glossary
-- Pump: moves water. It must be primed before first use.
`,
  'design brief': `
-# Design: settings page
 
-Goal: people find the language switch. Today 40 % of tickets are about it.
 
-### Layout
+- Two columns on desktop, one on mobile
+- Groups: Profile, Language, Notifications
+- The save button stays visible
 
-### Content
+- Language is the first group
+- Each setting has one line of help
 
-### Accessibility
+- Contrast at least 4.5:1
+- Works with the keyboard only
 
-### Inspiration
-- https://example.org/settings
-- The settings of our TV app
`,
  'chat style': `
-hey, can you take a look at the invoice pdf?
 
-customers say that the total is wrong when there's a discount.
 
+fix the rounding (2 decimals, half up) and add a line "Discount" above the total.
+also the vat id is missing in the footer, it has to be there by law.
-no rush, monday is fine. thx
`,
  'spec with must table': `
-# Data export
 
-## Purpose
-The export feeds the data warehouse. Analysts use it daily.
 
-## Columns
-| Column | Type | Rule |
-|---|---|---|
+| id | integer | must be unique |
+| email | string | must be lower case |
 | created | date | ISO 8601 |
 
-## File
+The file is UTF-8 and has a header row.
+Fields with commas must be quoted.
 
-## Schedule
+- The export must run every night at 02:00
+- A failed export must be repeated once
 
-## Contacts
-- Data team: data@example.org
`,
  'github issue enhancement': `
-## Problem
-The table is hard to read on phones, you have to scroll sideways all the time.
 
-## Proposal
+Show each row as a card below 600 px. The card has the name as its title and the other columns as a list.
 
-## Acceptance
+- [ ] Cards below 600 px
+- [ ] No horizontal scrolling at 320 px
+- [ ] Sorting still works
 
-## Alternatives
-- A horizontal scroll with a sticky first column, but that needs JavaScript
 
-cc @mia
`,
  'lesson plan': `
-# Worksheet: fractions, grade 5
 
+Create a worksheet with 12 exercises on adding fractions.
 
-Details:
+- 4 easy, 4 medium, 4 hard
+- solutions on a separate page
+- one exercise uses a pizza
+- font size 14 or more
 
+Do not use decimals. The worksheet must fit on two A4 pages.
-The pupils have known fractions since last year.
`,
  'migration ticket': `
-OPS-77 Move the wiki to the new server
 
-Owner: Tim
-Due: 30 June
 
-Steps
+1. Export all pages as Markdown
+2. Import them on wiki2
+3. Redirect old URLs (301)
 
-Constraints
+- Downtime of at most 10 minutes
+- Page history is kept
 
-Rollback
-Point the DNS entry back to the old server.
`,
  'llm coding prompt': `
-You are a senior TypeScript developer. I am building a todo app and need a helper.
 
+Write a function \`groupByDay(todos)\` that groups todos by the day of their \`due\` date.
 
-Requirements:
+- Input: an array of objects with \`title\` and \`due\` (ISO string)
+- Output: a Map from YYYY-MM-DD to the todos of that day
+- Days are sorted ascending
+- Todos without \`due\` go under the key \`none\`
+- No dependencies
 
+Include unit tests with vitest. Explain your choices in comments.
-Think step by step before you write the code.
 
-Example:
-\`\`\`ts
-groupByDay([{ title: 'a', due: '2026-01-02T10:00:00Z' }])
-\`\`\`
`,
  RFC: `
-# RFC 12: Audit log for admin actions
 
-- Status: Proposed
-- Author: Lea
 
-## Summary
-Record what admins change, so that we can answer questions of auditors.
 
-## Motivation
-Last year we could not say who had deleted a customer. This must not happen again.
 
-## Detailed design
 
+Every admin action writes one entry with actor, action, target and time.
+Entries must be immutable. The table has no UPDATE or DELETE grants for the app.
+Entries older than 7 years are removed by a nightly job.
 
-### API
+- \`GET /admin/audit\` returns entries, newest first, 100 per page
+- Filters: actor, target, from, to
+- Only the role \`auditor\` may read it
 
-## Drawbacks
-- More writes per action
-- The table will grow
 
-## Alternatives
-- Event sourcing: every change must be an event, which is a rewrite
-- Database triggers
 
-## Unresolved questions
-- Do we log reads too?
`,
  'landing page ticket': `
-**WEB-341 Cookie banner**
 
-Legal told us that our current banner is not compliant.
 
-**What we need**
+- "Reject all" is as prominent as "Accept all"
+- Nothing is loaded from third parties before consent
+- The choice is stored for 6 months
+- A link in the footer opens the banner again
 
-**Nice to have**
+- Texts come from the CMS
 
-**Not included**
-- Redesign of the footer
 
-**Links**
-- [Guideline](https://example.org/g)
-- [Figma](https://example.org/f)
`,
  'event plan': `
-# Team day in September
 
-Plan a day for 14 people.
 
-Budget: 1,200 euros including food.
 
+The day has to start after 9 and end before 18 o'clock. One person uses a wheelchair, so every place must be accessible.
+There should be a vegetarian option for lunch.
+Don't plan anything with water, two people cannot swim.
 
-Last year we went bowling, that was fun but loud.
 
+Give me three options in a table with cost per person, travel time and a plan for rain.
`,
  'library change': `
-# Support custom loggers
 
-Currently the client writes to \`console\`. Users with structured logs cannot use it.
 
-## Proposed solution
 
+Accept an option \`logger\` with the methods \`debug\`, \`info\`, \`warn\` and \`error\`.
+If no logger is given, nothing is logged.
+A logger that throws must not break a request.
 
-## Compatibility
+- \`verbose: true\` keeps working and logs to the console
+- The minimum Node version stays 18
 
-## Documentation
+- README: add a section with an example for pino
+- CHANGELOG entry
`,
  'user stories': `
-# Library app: user stories
 
-## Reader
+- As a reader I want to search by title and author so that I find books quickly
+- As a reader I want to reserve a book that is lent out
+  - I get a mail when it is back
+  - The reservation ends after 3 days
 
-## Librarian
+- As a librarian I want to see overdue books
+- As a librarian I want to block a card
 
-## Assumptions
-- Every reader has an email address
-- The catalogue of the city library is available as CSV
 
-## Constraints
+- Runs on the existing Windows PCs
+- German user interface
`,
  'recipe site text': `
-Please write the text for our about page.
 
-Some facts: we opened in 1998, we are a family business, we bake with organic flour only, and my grandmother's recipe is the heart of the shop.
 
+The text should be warm but not cheesy. About 150 words. Mention the organic flour and the grandmother.
+It must not mention prices. Please avoid the word "passion".
+Finish with an invitation to visit us on Saturdays.
`,
};
