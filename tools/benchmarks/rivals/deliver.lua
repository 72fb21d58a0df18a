-- Deliveries for wrk: each has one fix of its own. The environment gives token and path.
local thread_count = 0

function setup(thread)
  thread:set("number", thread_count)
  thread_count = thread_count + 1
end

function init(arguments)
  count = 0
  headers = {
    ["Content-Type"] = "application/json",
    ["Authorization"] = "Bearer " .. os.getenv("DELIVER_TOKEN"),
  }
end

function request()
  count = count + 1
  local body = string.format(
    '{"type":"fix_recorded","id":"%s-%d-%d","lat":51.9,"lon":4.3,"accuracy":5}',
    os.getenv("DELIVER_NAME"), number, count)
  return wrk.format("POST", os.getenv("DELIVER_PATH"), headers, body)
end

function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format(
    "\nresult %d %d %d %d %d\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99),
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
