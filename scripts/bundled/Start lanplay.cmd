@echo off
rem Starts lanplay: double-click, or run it from a terminal with arguments.
setlocal
set "ask=import sys; sys.exit(sys.version_info < (3, 11))"
set "python=py -3"
call %python% -c "%ask%" >nul 2>nul && goto found
set "python=python"
call %python% -c "%ask%" >nul 2>nul && goto found
echo lanplay needs Python 3.11 or newer. Install it from https://www.python.org/downloads/
echo and start this again.
pause
exit /b 1
:found
%python% "%~dp0start.py" %*
set status=%errorlevel%
if not "%status%"=="0" if "%~1"=="" pause
exit /b %status%
